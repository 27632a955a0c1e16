/** An answer whose text is there already: it is written at once, while a `Response` is read as a stream first. */
export class WholeAnswer {
  readonly status = 200;
  /** Lower-case names. */
  readonly headers: Map<string, string>;
  readonly text: string;

  constructor(text: string, headers: Readonly<Record<string, string>>) {
    this.text = text;
    this.headers = new Map(Object.entries(headers));
  }

  toResponse(): Response {
    return new Response(this.text, { status: this.status, headers: [...this.headers] });
  }
}

export type Answer = Response | WholeAnswer;
