import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildResponse, stubPage, stubStorage, testUser } from './fake-browser.ts'
import { getStepPercent, overlayStore, playOverlayDemo, resetOverlay, signOutWithOverlay } from './logout-overlay.ts'
import { setNavigator } from './redirect.ts'
import { setUser } from './session.ts'
import { sessionStore } from './stores.ts'
import { toastStore } from './toast.ts'

let visited: string[]
beforeEach(() => {
  vi.useFakeTimers()
  stubStorage()
  stubPage()
  visited = []
  setNavigator((to) => visited.push(to))
  vi.stubGlobal('fetch', async () => buildResponse({ success: true }))
})
afterEach(() => {
  resetOverlay()
  vi.useRealTimers()
})
const now = () => {
  const { state, step } = overlayStore.read()
  return `${state} ${step} ${getStepPercent(step)}`
}

test('the steps last 1 s, 1.5 s and 0.5 s; the overlay leaves 300 ms after', async () => {
  playOverlayDemo('Claire')
  expect(overlayStore.read()).toEqual({ state: 'animating', step: 'logging-out', username: 'Claire' })
  const seen: [number, string][] = []
  for (let at = 0; at <= 3600; at += 100) {
    if (seen.at(-1)?.[1] !== now()) seen.push([at, now()])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(seen).toEqual([
    [0, 'animating logging-out 33'],
    [1000, 'animating success 66'],
    [2500, 'animating redirecting 100'],
    [3000, 'completed redirecting 100'],
    [3300, 'hidden redirecting 100'],
    [3500, 'idle logging-out 33'],
  ])
  expect(visited).toEqual([])
})

test('signing out ends the session at the click and leads to the sign-in page at 800 ms and at the end', async () => {
  setUser({ ...testUser, companies: [] })
  signOutWithOverlay()
  signOutWithOverlay()
  expect(sessionStore.read().user).toBeNull()
  expect(toastStore.read()).toMatchObject({ title: 'Déconnexion...', duration: 2000 })
  expect(overlayStore.read().username).toBe('Claire')
  await vi.advanceTimersByTimeAsync(799)
  expect(visited).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(visited).toEqual(['/login?logout=true'])
  await vi.advanceTimersByTimeAsync(2499)
  expect(overlayStore.read().state).toBe('completed')
  await vi.advanceTimersByTimeAsync(1)
  expect(visited).toEqual(['/login?logout=true', '/login?logout=true'])
  expect(overlayStore.read().state).toBe('hidden')
})
