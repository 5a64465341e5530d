/**
 * Runs code that creates style elements: our content security policy forbids these, so constructed style sheets replace
 * them.
 */
export function withoutStyleElements(run: () => void): void {
  const create = document.createElement.bind(document);
  document.createElement = (tag: string) => (tag === 'style' ? createSheet() : create(tag));
  try {
    run();
  } finally {
    document.createElement = create;
  }

  /** An element that is not shown: its text becomes a style sheet until it is removed. */
  function createSheet(): HTMLElement {
    const element = create('template');
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
    Object.defineProperty(element, 'textContent', {
      set: (rules: string) => {
        sheet.replaceSync(rules);
      },
    });
    element.remove = () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      Element.prototype.remove.call(element);
    };
    return element;
  }
}
