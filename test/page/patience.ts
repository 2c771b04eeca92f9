// How long a test of the page waits for what must come. A machine ten times slower than usual needs
// less, and a browser that stalls needs no more to be found out.

export const patienceMs = 120_000;
