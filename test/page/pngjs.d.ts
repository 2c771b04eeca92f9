// What the tests use of pngjs, which has no types of its own.

declare module 'pngjs' {
  export class PNG {
    constructor(size: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
    static readonly sync: {
      readonly read: (bytes: Buffer) => PNG;
      readonly write: (
        picture: PNG,
        options?: {
          readonly colorType?: number;
          readonly deflateLevel?: number;
          readonly filterType?: number;
          readonly deflateStrategy?: number;
        },
      ) => Buffer;
    };
  }
}
