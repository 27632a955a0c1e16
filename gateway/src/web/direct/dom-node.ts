/** The part of the DOM that is used here; the compiler knows no browser types. */
export interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly children: Iterable<DomNode>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): DomNode | null;
  querySelectorAll(selector: string): Iterable<DomNode>;
  remove(): void;
}
