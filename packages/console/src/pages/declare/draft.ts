import { kindSchema, kinds, mask, rewritten, secretsIn } from '@nova-platform/api';

const key = 'nova.draft';

/** The draft of a new cluster; it survives a reload of this tab. */
export function storedDraft(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined;
}

export function storeDraft(documents: string): void {
  const safe = withoutSecrets(documents);
  // Documents that cannot be read may contain a secret anywhere.
  if (documents === '') removeDraft();
  else if (safe !== undefined) sessionStorage.setItem(key, safe);
}

export function removeDraft(): void {
  sessionStorage.removeItem(key);
}

/** Documents with secrets masked; undefined if they cannot be read. */
export function withoutSecrets(documents: string): string | undefined {
  let isReadable = true;
  try {
    const safe = rewritten(documents, (document) => {
      isReadable &&= document.errors.length === 0;
      const kind = kinds.find((each) => each.kind === document.get('kind'));
      if (!kind) return;
      for (const { path } of secretsIn(kindSchema(kind), document.toJS())) document.setIn([...path], mask);
    });
    return isReadable ? safe : undefined;
  } catch {
    return undefined;
  }
}
