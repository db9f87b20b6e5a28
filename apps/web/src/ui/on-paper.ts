/** A page does not know how wide a sheet is: a drawing on a portrait A4, inside its card, has this much. */
const SHEET = 560

/** Before the page is printed, `fit` is told how wide a drawing may be at most; afterwards it goes `back`. */
export function onPaper(fit: (most: number) => void, back: () => void): () => void {
  const start = () => fit(SHEET)
  addEventListener('beforeprint', start)
  addEventListener('afterprint', back)
  return () => {
    removeEventListener('beforeprint', start)
    removeEventListener('afterprint', back)
  }
}
