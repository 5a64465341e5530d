/**
 * The document for libraries that create style elements: our content security policy forbids the texts of these, so
 * constructed style sheets get them.
 */
export function documentWithSheets(): Document {
  return new Proxy(document, {
    get: (target, name) => {
      if (name === 'createElement')
        return (tag: string) => (tag === 'style' ? createStyle() : document.createElement(tag));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function createStyle(): HTMLStyleElement {
  const element = document.createElement('style');
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, 'textContent', { set: (rules: string) => sheet.replaceSync(rules) });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}
