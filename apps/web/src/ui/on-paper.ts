/** A page does not know how wide a sheet is: a drawing on a portrait A4, inside its card, has this much. */
const SHEET = 560

/** How wide a drawing may be at `most`, now; `fit` is called before the page is printed and after. */
export function onPaper(fit: () => void) {
  const paper = { most: Number.POSITIVE_INFINITY, stop }
  const set = (most: number) => () => {
    paper.most = most
    fit()
  }
  const [start, end] = [set(SHEET), set(Number.POSITIVE_INFINITY)]
  addEventListener('beforeprint', start)
  addEventListener('afterprint', end)
  function stop() {
    removeEventListener('beforeprint', start)
    removeEventListener('afterprint', end)
  }
  return paper
}
