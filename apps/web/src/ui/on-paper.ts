/** A page does not know how wide a sheet is: a drawing on a portrait A4, inside its card, has this much. */
const PRINT_WIDTH = 560

/** Whether the page is being printed: what is drawn meanwhile was not there to be told. */
const printState = { most: Number.POSITIVE_INFINITY }
if (typeof window !== 'undefined') {
  addEventListener('beforeprint', () => {
    printState.most = PRINT_WIDTH
  })
  addEventListener('afterprint', () => {
    printState.most = Number.POSITIVE_INFINITY
  })
}

/** How wide a drawing may be at `most`, now; `fit` is called before the page is printed and after. */
export function watchPrintWidth(fit: () => void) {
  addEventListener('beforeprint', fit)
  addEventListener('afterprint', fit)
  return {
    get most() {
      return printState.most
    },
    stop() {
      removeEventListener('beforeprint', fit)
      removeEventListener('afterprint', fit)
    },
  }
}
