/** Name of the mark that a page bears once its program runs. */
export const READY_ATTRIBUTE = 'awake'
const READY_EVENT = 'voisol:awake'

/** Said once, when everything on the page answers. */
export function markReady() {
  document.documentElement.dataset[READY_ATTRIBUTE] = ''
  document.dispatchEvent(new Event(READY_EVENT))
}

/**
 * What is pressed before the program runs is pressed again when it does; a form would otherwise reload the page.
 * Links, switches and folded texts do their work without it.
 */
export function replayEarlyClicks() {
  let replay = () => {}
  const click = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null
    if (!button) return
    event.preventDefault()
    event.stopPropagation()
    replay = () => button.click()
  }
  const submit = (event: SubmitEvent) => {
    const { target: form, submitter } = event
    event.preventDefault()
    if (form instanceof HTMLFormElement) replay = () => form.requestSubmit(submitter)
  }
  document.addEventListener('click', click, true)
  document.addEventListener('submit', submit, true)
  document.addEventListener(
    READY_EVENT,
    () => {
      document.removeEventListener('click', click, true)
      document.removeEventListener('submit', submit, true)
      replay()
    },
    { once: true },
  )
}
