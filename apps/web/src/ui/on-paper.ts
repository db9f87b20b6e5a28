/** A page does not know how wide a sheet is: a drawing on a portrait A4, inside its card, has this much. */
const SHEET = 560

/** Whether the page is being printed: what is drawn meanwhile was not there to be told. */
const page = { most: Number.POSITIVE_INFINITY }
if (typeof window !== 'undefined') {
  addEventListener('beforeprint', () => {
    page.most = SHEET
  })
  addEventListener('afterprint', () => {
    page.most = Number.POSITIVE_INFINITY
  })
}

/** How wide a drawing may be at `most`, now; `fit` is called before the page is printed and after. */
export function onPaper(fit: () => void) {
  addEventListener('beforeprint', fit)
  addEventListener('afterprint', fit)
  return {
    get most() {
      return page.most
    },
    stop() {
      removeEventListener('beforeprint', fit)
      removeEventListener('afterprint', fit)
    },
  }
}
