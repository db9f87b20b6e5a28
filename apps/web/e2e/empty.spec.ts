import type { Page } from '@playwright/test'
import { filterAllowedScreens, screens as table } from '../src/app/screens/table.ts'
import { navigateInPage, waitUntilIdle } from './fixtures.ts'
import { buildBearerHeader, expect, inviteAndAccept, openAs, type Person, test } from './journeys/people.ts'

/** An empty place says why, and leads on; or says which reason asks nothing of the reader. */
type EmptyStateMark = { because: string; title: string; why: string; ways: number }

const readMarks = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main [data-empty]')].map(
      (mark): EmptyStateMark => ({
        because: mark.dataset.empty ?? '',
        title: mark.querySelector('h2')?.textContent ?? '',
        why: mark.querySelector('p')?.textContent ?? '',
        ways: mark.querySelectorAll('a[href], button:not(:disabled)').length,
      }),
    ),
  )

/** Every tab of the screen, those within a tab before the next one. */
async function eachTab(page: Page, look: () => Promise<void>) {
  const seen = new Set<string>()
  for (;;) {
    const names = await page.locator('main [role=tab]').allInnerTexts()
    const next = names.findLastIndex((name) => !seen.has(name))
    if (next < 0) return
    seen.add(names[next] ?? '')
    const tab = page.locator('main [role=tab]').nth(next)
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await waitUntilIdle(page)
    await look()
  }
}

/** Those that somebody may open as they are; several addresses may show one screen, which is looked at once. */
function listVisitedScreens(user: Parameters<typeof filterAllowedScreens>[1]) {
  const rows = filterAllowedScreens(table, user).filter(
    ({ path, role, dev }) => role !== 'public' && !dev && !path.includes(':'),
  )
  return [...new Map(rows.toReversed().map((row) => [String(row.screen), row])).values()].toReversed()
}

/** All that is empty before the eyes of somebody for whom nothing was done yet, in one window. */
async function walk(page: Page, user: Parameters<typeof filterAllowedScreens>[1]) {
  const found = new Map<string, EmptyStateMark>()
  for (const { path, title } of listVisitedScreens(user)) {
    const look = async () => {
      for (const mark of await readMarks(page)) found.set(`${path} ${mark.title}`, mark)
    }
    await navigateInPage(page, path)
    await expect(page).toHaveTitle(new RegExp(title))
    await waitUntilIdle(page)
    await look()
    await eachTab(page, look)
  }
  return found
}

const fetchMe = async (page: Page, who: Person) =>
  (await page.request.get('/api/auth/me', { headers: buildBearerHeader(who) })).json() as Promise<
    Parameters<typeof filterAllowedScreens>[1]
  >

/** Where nothing is asked of the reader, by its reason: all is well, it fills by itself, or the choice stands beside it. */
const EXPECTED_EMPTY: Record<string, readonly string[]> = {
  'all-well': [
    '/admin/esb Aucun envoi échoué',
    '/billing Aucune régularisation',
    '/billing Personne n’est en retard',
    '/billing Rien n’est encaissé pour un autre',
    '/client-portal-management Aucune lettre à écrire',
    '/client-portal/notifications Tout est calme',
    '/dashboard/support-optimized Rien n’attend',
    '/enedis-error-logs Aucune erreur à traiter',
    '/notifications Tout est calme',
    '/regulatory-exports Rien n’est dû cette année',
    '/support-admin Aucune demande à traiter',
  ],
  'comes-by-itself': [
    '/admin/esb Rien ne s’est passé sur cette période',
    '/client-portal/invoices Aucune facture pour l’instant',
    '/logout-state-admin Aucune déconnexion enregistrée',
    '/subscription-plans Aucune facture',
  ],
  'chosen-here': ['/exports Aucun export'],
}

/** Says nothing, leads nowhere, or asks for nothing without being in the list. */
const listUnexplainedMarks = (marks: Map<string, EmptyStateMark>) =>
  [...marks].filter(
    ([place, { because, why, ways }]) =>
      !/\p{L}[.!?](?:\s|$)/u.test(why) || (because === 'next' ? ways === 0 : !EXPECTED_EMPTY[because]?.includes(place)),
  )

test('each empty screen of a new company says what to do next', async ({ page, admin }) => {
  test.slow()
  await page.goto('/dashboard')
  const marks = await walk(page, await fetchMe(page, admin))
  expect(listUnexplainedMarks(marks)).toEqual([])
  expect(marks.size).toBeGreaterThan(50)
})

test('each empty screen of a participant with nothing says what to do next', async ({ request, browser, admin }) => {
  const someone = await inviteAndAccept(request, admin, { firstName: 'Paul', lastName: 'Roux', role: 'client' })
  const page = await openAs(browser, someone)
  await page.goto('/client-portal')
  const marks = await walk(page, await fetchMe(page, someone))
  expect(listUnexplainedMarks(marks)).toEqual([])
  expect(marks.size).toBeGreaterThan(8)
})
