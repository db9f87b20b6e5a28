/** Name of the mark that a page bears once its program runs. */
export const AWAKE = 'awake'
const EVENT = 'voisol:awake'

/** Said once, when everything on the page answers. */
export function sayAwake() {
  document.documentElement.dataset[AWAKE] = ''
  document.dispatchEvent(new Event(EVENT))
}

/**
 * What is pressed before the program runs is pressed again when it does; a form would otherwise reload the page.
 * Links, switches and folded texts do their work without it.
 */
export function keepClicks() {
  let later = () => {}
  const click = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null
    if (!button) return
    event.preventDefault()
    event.stopPropagation()
    later = () => button.click()
  }
  const submit = (event: SubmitEvent) => {
    const { target: form, submitter } = event
    event.preventDefault()
    if (form instanceof HTMLFormElement) later = () => form.requestSubmit(submitter)
  }
  document.addEventListener('click', click, true)
  document.addEventListener('submit', submit, true)
  document.addEventListener(
    EVENT,
    () => {
      document.removeEventListener('click', click, true)
      document.removeEventListener('submit', submit, true)
      later()
    },
    { once: true },
  )
}
