import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Colour of a bar key. */
    '--k'?: string;
  }
}
