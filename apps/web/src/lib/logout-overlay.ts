import { goTo } from './redirect.ts'
import { logout } from './session.ts'
import { createStore, sessionStore } from './stores.ts'
import { toast } from './toast.ts'

export type OverlayStep = 'logging-out' | 'success' | 'redirecting'
export type Overlay = {
  state: 'idle' | 'animating' | 'completed' | 'hidden'
  step: OverlayStep
  username?: string
}

export const LOGOUT_STEPS = [
  { step: 'logging-out', lasts: 1000, percent: 33 },
  { step: 'success', lasts: 1500, percent: 66 },
  { step: 'redirecting', lasts: 500, percent: 100 },
] as const satisfies { step: OverlayStep; lasts: number; percent: number }[]

const IDLE_OVERLAY: Overlay = { state: 'idle', step: 'logging-out' }
/** Long enough for the overlay to fade away. */
const FADE_MS = 200
const REDIRECT_MS = 800
const HIDE_MS = 300
const SIGNED_OUT_PATH = '/login?logout=true'

export const overlayStore = createStore<Overlay>(IDLE_OVERLAY)

export const getStepPercent = (step: OverlayStep) => LOGOUT_STEPS.find((row) => row.step === step)?.percent ?? 0

let timers: ReturnType<typeof setTimeout>[] = []
const schedule = (work: () => void, ms: number) => void timers.push(setTimeout(work, ms))

/** Back to idle, whatever was playing. */
export function resetOverlay() {
  for (const timer of timers) clearTimeout(timer)
  timers = []
  overlayStore.set(IDLE_OVERLAY)
}

function hideOverlay() {
  overlayStore.set({ ...overlayStore.read(), state: 'hidden' })
  schedule(resetOverlay, FADE_MS)
}

/** Plays the three steps, then calls back. */
function playOverlay(username: string | undefined, onComplete: () => void) {
  resetOverlay()
  let at = 0
  for (const { step, lasts } of LOGOUT_STEPS) {
    const show = () => overlayStore.set({ state: 'animating', step, username })
    at === 0 ? show() : schedule(show, at)
    at += lasts
  }
  schedule(() => {
    overlayStore.set({ state: 'completed', step: 'redirecting', username })
    onComplete()
  }, at)
}

/** The overlay alone, for those who want to see it. */
export const playOverlayDemo = (username?: string) => playOverlay(username, () => schedule(hideOverlay, HIDE_MS))

/**
 * What the shells call. Two redirections are specified, 800 ms after the click and 300 ms after the overlay completes;
 * both happen: at 800 ms the sign-in page takes the place of the screen under the opaque overlay, so that nothing of
 * the account stays on the page; 300 ms after the third step the overlay opens on it, once more sent there should
 * the first time have failed. The session itself ends at the click.
 */
export function signOutWithOverlay() {
  if (overlayStore.read().state !== 'idle') return
  const { user } = sessionStore.read()
  void logout('user', null)
  toast({ title: 'Déconnexion...', duration: 2000 })
  playOverlay(user ? user.firstName || user.email : undefined, () =>
    schedule(async () => {
      if (location.pathname + location.search !== SIGNED_OUT_PATH) await goTo(SIGNED_OUT_PATH)
      hideOverlay()
    }, HIDE_MS),
  )
  schedule(() => void goTo(SIGNED_OUT_PATH), REDIRECT_MS)
}
