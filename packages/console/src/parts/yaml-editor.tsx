import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { infrastructure, kindSchema, kinds, type Language } from '@nova-platform/api';
import { useEffect, useRef } from 'react';
import { useWords } from '../language.tsx';
import { completionsAt, descriptionAt } from './yaml-schema.ts';
import './yaml-editor.css';

export interface EditorProblem {
  line: number;
  column: number;
  length: number;
  message: string;
}

interface YamlEditorProps {
  label: string;
  text: string;
  /** Without it, the text is read-only. */
  onChange?: (text: string) => void;
  problems?: readonly EditorProblem[];
  /** The place to show, for example that of the focused field. */
  shown?: number | undefined;
}

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--nova-accent)' },
  { tag: [tags.string, tags.content], color: 'var(--nova-good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--nova-bad)' },
  { tag: tags.comment, color: 'var(--nova-quiet)', fontStyle: 'italic' },
]);

const look = EditorView.theme({
  '&': {
    maxHeight: 'calc(100vh - 27rem)',
    minHeight: '18rem',
    fontSize: 'var(--pf-t--global--font--size--xs)',
    color: 'var(--pf-t--global--text--color--regular)',
    background: 'var(--nova-surface)',
  },
  '&.cm-focused': {
    outline: 'var(--pf-t--global--focus-ring--width--offset) solid var(--pf-t--global--focus-ring--color--default)',
    outlineOffset: 'calc(-1 * var(--pf-t--global--focus-ring--width--offset))',
  },
  '.cm-scroller': {
    fontFamily: 'var(--pf-t--global--font--family--mono)',
    lineHeight: 'var(--pf-t--global--font--line-height--body)',
  },
  '.cm-gutters': { background: 'var(--nova-soft)', color: 'var(--nova-quiet)', borderColor: 'var(--nova-line)' },
  '.cm-activeLine': { background: 'color-mix(in srgb, var(--nova-accent) 7%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--pf-t--global--text--color--regular)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--nova-accent) 30%, transparent)',
  },
  '.cm-tooltip': {
    maxWidth: '30rem',
    border: 'var(--pf-t--global--border--width--regular) solid var(--nova-line)',
    borderRadius: 'var(--pf-t--global--border--radius--small)',
    color: 'var(--pf-t--global--text--color--regular)',
    background: 'var(--nova-surface)',
    fontFamily: 'var(--pf-t--global--font--family--body)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--pf-t--global--text--color--regular)',
    background: 'var(--nova-accent-soft)',
  },
  '.cm-completionInfo, .nova-editor-tip': { padding: 'var(--pf-t--global--spacer--sm)' },
});

const schema = kindSchema(kinds.find(({ kind }) => kind === 'Infrastructure') ?? infrastructure);

/** A YAML editor with the schema of our documents: completion, descriptions and problems. */
export function YamlEditor({ label, text, onChange, problems = [], shown }: YamlEditorProps) {
  const { language, t } = useWords();
  const leaveHint = t('common.leaveEditor');
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  /** Typed texts that come back as props; they may be older than the current text. */
  const typed = useRef(new Set<string>());

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect below updates the text.
  useEffect(() => {
    if (!place.current) return undefined;
    const isReadOnly = onChange === undefined;
    // In a shadow root, the editor adds its styles as constructed sheets. Our content security policy forbids inline
    // styles.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    view.current = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          indentOnInput(),
          highlightActiveLine(),
          yaml(),
          look,
          syntaxHighlighting(colors),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          EditorView.contentAttributes.of({
            'aria-label': label,
            tabindex: '0',
            ...(!isReadOnly && { 'aria-description': leaveHint }),
          }),
          EditorState.readOnly.of(isReadOnly),
          ...(isReadOnly
            ? []
            : [
                lintGutter(),
                leaving(),
                autocompletion({ override: [(context) => complete(context, language)] }),
                explain(language),
                EditorView.updateListener.of((update) => {
                  if (!update.docChanged) return;
                  typed.current.add(update.state.doc.toString());
                  change.current?.(update.state.doc.toString());
                }),
              ]),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...(isReadOnly ? [] : [indentWithTab])]),
        ],
      }),
    });
    return () => view.current?.destroy();
  }, [label, language, onChange === undefined]);

  useEffect(() => {
    const now = view.current?.state.doc.toString();
    if (now === text) typed.current.clear();
    if (!view.current || now === text || typed.current.has(text)) return;
    view.current.dispatch({ changes: changeBetween(now ?? '', text) });
  }, [text]);

  useEffect(() => {
    if (!view.current) return;
    const { doc } = view.current.state;
    const diagnostics = problems.flatMap(({ line, column, length, message }): Diagnostic[] => {
      if (line < 1 || line > doc.lines) return [];
      const { from, to } = doc.line(line);
      const start = Math.min(from + column - 1, to);
      return [{ from: start, to: Math.min(start + length, to), severity: 'error', message }];
    });
    view.current.dispatch(setDiagnostics(view.current.state, diagnostics));
  }, [problems]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || shown === undefined || editor.hasFocus || shown > editor.state.doc.length) return;
    // Highlights the line. The editor's own scrolling would scroll the page as well.
    editor.dispatch({ selection: { anchor: shown } });
    editor.scrollDOM.scrollTop = editor.lineBlockAt(shown).top - editor.scrollDOM.clientHeight / 2;
  }, [shown]);

  return (
    <>
      <div ref={place} className="nova-editor" />
      {onChange !== undefined && <p className="nova-quiet nova-editor-hint">{leaveHint}</p>}
    </>
  );
}

/** After Escape, the Tab key leaves the editor until the next other key; the library allows only two seconds. */
function leaving() {
  let isLeaving = false;
  const set = (view: EditorView, isNow: boolean) => {
    if (isLeaving === isNow) return;
    isLeaving = isNow;
    view.setTabFocusMode(isNow);
  };
  return EditorView.domEventObservers({
    keydown: ({ key }, view) => {
      if (key === 'Escape') set(view, true);
      else if (!['Tab', 'Shift', 'Control', 'Alt', 'Meta'].includes(key)) set(view, false);
    },
    blur: (_event, view) => set(view, false),
  });
}

/** Replaces only the difference, so that the cursor keeps its place. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

function complete(context: CompletionContext, language: Language): CompletionResult | null {
  const { number, text, from } = context.state.doc.lineAt(context.pos);
  const lines = context.state.doc
    .toString()
    .split('\n')
    .slice(0, number - 1);
  const typed = text.slice(0, context.pos - from);
  const found = completionsAt(schema, lines, typed, language);
  if (!found || (!context.explicit && found.word === '' && !typed.endsWith(': '))) return null;
  return {
    from: context.pos - found.word.length,
    options: found.options.map(({ label, apply, detail, info }) => ({ label, apply, detail, info, type: 'property' })),
    validFor: /^[\w-]*$/,
  };
}

function explain(language: Language) {
  return hoverTooltip((view, pos) => {
    const { number, text, from, to } = view.state.doc.lineAt(pos);
    const lines = view.state.doc
      .toString()
      .split('\n')
      .slice(0, number - 1);
    const description = descriptionAt(schema, lines, text, language);
    if (description === undefined) return null;
    return {
      pos: from,
      end: to,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'nova-editor-tip';
        dom.textContent = description;
        return { dom };
      },
    };
  });
}
