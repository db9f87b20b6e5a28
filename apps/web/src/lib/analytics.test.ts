import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { consent, onConsent, pageView, pageViewOf, setConsent, withdrawConsent } from './analytics.ts'

const measured = { analyticsId: 'VS-1', analyticsUrl: '/mesure' }

test('nothing is sent without an id, an address and consent', () => {
  expect(pageViewOf('/', {}, 'granted')).toBeNull()
  expect(pageViewOf('/', { analyticsId: 'VS-1' }, 'granted')).toBeNull()
  expect(pageViewOf('/', { analyticsUrl: '/mesure' }, 'granted')).toBeNull()
  expect(pageViewOf('/', measured, null)).toBeNull()
  expect(pageViewOf('/', measured, 'refused')).toBeNull()
})

test('with all three, the path alone is sent', () => {
  expect(pageViewOf('/pricing', measured, 'granted')).toEqual({
    url: '/mesure',
    body: { id: 'VS-1', path: '/pricing' },
  })
})

describe('the page that is being read', () => {
  const sent: string[] = []
  beforeEach(() => {
    sent.length = 0
    vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(measured) }) })
    vi.stubGlobal('navigator', { sendBeacon: (_: string, body: string) => sent.push(JSON.parse(body).path) })
    withdrawConsent()
  })
  afterEach(() => {
    withdrawConsent()
    vi.unstubAllGlobals()
  })

  test('counts once the visitor agrees, and once only; the ones before it do not', () => {
    pageView('/')
    pageView('/pricing')
    expect(sent).toEqual([])
    setConsent('granted')
    setConsent('granted')
    expect(sent).toEqual(['/pricing'])
    pageView('/features')
    expect(sent).toEqual(['/pricing', '/features'])
  })

  test('counts no longer once the visitor has changed their mind, and the question is asked again', () => {
    setConsent('granted')
    let told = 0
    const stop = onConsent(() => told++)
    withdrawConsent()
    stop()
    expect([consent(), told]).toEqual([null, 1])
    pageView('/about')
    setConsent('refused')
    pageView('/contact')
    expect(sent).toEqual([])
  })
})
