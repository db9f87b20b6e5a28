import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildPageView,
  getConsent,
  onAnalyticsConsentChange,
  recordPageView,
  setAnalyticsConsent,
  withdrawAnalyticsConsent,
} from './analytics.ts'

const measured = { analyticsId: 'VS-1', analyticsUrl: '/mesure' }

test('nothing is sent without an id, an address and consent', () => {
  expect(buildPageView('/', {}, 'granted')).toBeNull()
  expect(buildPageView('/', { analyticsId: 'VS-1' }, 'granted')).toBeNull()
  expect(buildPageView('/', { analyticsUrl: '/mesure' }, 'granted')).toBeNull()
  expect(buildPageView('/', measured, null)).toBeNull()
  expect(buildPageView('/', measured, 'refused')).toBeNull()
})

test('with all three, the path alone is sent', () => {
  expect(buildPageView('/pricing', measured, 'granted')).toEqual({
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
    withdrawAnalyticsConsent()
  })
  afterEach(() => {
    withdrawAnalyticsConsent()
    vi.unstubAllGlobals()
  })

  test('counts once the visitor agrees, and once only; the ones before it do not', () => {
    recordPageView('/')
    recordPageView('/pricing')
    expect(sent).toEqual([])
    setAnalyticsConsent('granted')
    setAnalyticsConsent('granted')
    expect(sent).toEqual(['/pricing'])
    recordPageView('/features')
    expect(sent).toEqual(['/pricing', '/features'])
  })

  test('counts no longer once the visitor has changed their mind, and the question is asked again', () => {
    setAnalyticsConsent('granted')
    let told = 0
    const stop = onAnalyticsConsentChange(() => told++)
    withdrawAnalyticsConsent()
    stop()
    expect([getConsent(), told]).toEqual([null, 1])
    recordPageView('/about')
    setAnalyticsConsent('refused')
    recordPageView('/contact')
    expect(sent).toEqual([])
  })
})
