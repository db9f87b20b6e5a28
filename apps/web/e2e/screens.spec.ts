import type { Page } from '@playwright/test'
import { screens as rows } from '../src/screens/table.ts'
import type { Screen } from '../src/screens/types.ts'
import {
  type DemoUser,
  expect,
  expectAccessible,
  expectNoOverflow,
  expectTablesNotCut,
  fillAddress,
  listFixedElements,
  navigateInPage,
  test,
  waitUntilIdle,
  watchErrors,
} from './fixtures.ts'
import {
  getMeasuredWidths,
  getSeenWidths,
  getSkippedRules,
  isSampled,
  isScreenSampled,
  slowDown,
  takeSample,
} from './sampling.ts'

const HOME = { admin: '/dashboard', client: '/client-portal' }

/** Several addresses may show one screen: its file tells. */
function getScreenFile({ path, screen }: Screen): string {
  const file = /[\w./-]+\.tsx/.exec(String(screen))?.[0]
  if (!file) throw new Error(`${path} does not say which file it shows`)
  return file
}
const files = rows.map(getScreenFile)
const isFirst = (row: Screen) => files.indexOf(getScreenFile(row)) === rows.indexOf(row)

/** The screen of parts shows several of what a page has one of. */
const OF_PARTS = [
  'heading-order',
  'landmark-unique',
  'landmark-no-duplicate-main',
  'landmark-no-duplicate-banner',
  'region',
]

type Visit = { row: Screen; who: 'nobody' | DemoUser }
const visits = rows.flatMap((row) => (['nobody', 'admin', 'client'] as const).map((who): Visit => ({ row, who })))
const SIX = [
  'nobody /acc-operations/:id',
  'nobody /client-portal/profile',
  'admin /client-portal/consumption',
  'admin /login',
  'client /companies/:companyId/operations/:operationId/load-curves',
  'client /login',
]

/** The law of the table: who sees a screen, and where everybody else is sent. */
for (const { row, who } of takeSample(visits, (visit) => SIX.includes(`${visit.who} ${visit.row.path}`)))
  test(`${row.path} as ${who}`, async ({ page, signedIn, ids }) => {
    if (who !== 'nobody') await signedIn(who)
    const address = fillAddress(row.path, ids)
    await page.goto(address)
    if (row.role === 'public' && row.path !== '/login') await expect(page).toHaveURL(address)
    else if (row.path === '/login') await expect(page).toHaveURL(who === 'nobody' ? '/login' : HOME[who])
    else if (who === 'nobody') await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(address)}`)
    else await expect(page).toHaveURL(row.role === who ? address : HOME[who])
  })

test('the sampled visits are in the table', () => {
  const known = visits.map(({ row, who }) => `${who} ${row.path}`)
  expect(SIX.filter((visit) => !known.includes(visit))).toEqual([])
})

/**
 * As somebody comes from elsewhere, or as a link of the screen that is open leads there: the program need not start again.
 * One that is titled alike would be taken for it.
 */
async function open(page: Page, row: Screen, address: string, place: number) {
  const isInside = row.role !== 'public' && page.url() !== 'about:blank' && !(await page.title()).includes(row.title)
  await (isInside && !isSampled(place, 3) ? navigateInPage(page, address) : page.goto(address))
}

takeSample(rows, isFirst).forEach((row, nth) => {
  if (!isScreenSampled(nth, getScreenFile(row))) return
  const place = slowDown(nth)
  test(`${row.path} is titled, accessible and whole at every width`, async ({ windowOf, ids }) => {
    test.slow() // a screen full of data takes long to measure
    const page = await windowOf(row.role === 'public' ? 'nobody' : (row.role as DemoUser)) // not public: one of the two roles
    const errors = watchErrors(page)
    await open(page, row, fillAddress(row.path, ids), place)
    await expect(page).toHaveTitle(new RegExp(row.title))
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    // Half of those that come, each at one width.
    const measured = isSampled(place, 2) ? getMeasuredWidths(place) : []
    for (const width of getSeenWidths(place)) {
      await page.setViewportSize({ width, height: 900 })
      await waitUntilIdle(page, row.dev)
      await expectNoOverflow(page)
      await expectTablesNotCut(page, width)
      if (width === 390 && row.role === 'admin') expect(await listFixedElements(page)).toEqual([])
      if (measured.includes(width))
        await expectAccessible(page, { without: [...getSkippedRules(place), ...(row.dev ? OF_PARTS : [])] })
    }
    expect(errors).toEqual([])
  })
})

/** Under its other addresses a screen is the same, but for the title. */
for (const role of ['admin', 'client'] as const)
  test(`the other addresses of ${role} screens carry their titles`, async ({ page, signedIn, ids }) => {
    await signedIn(role)
    const others = rows.filter((one) => one.role === role && !isFirst(one))
    for (const [place, row] of takeSample(others, (_, at) => isSampled(at, 3)).entries()) {
      await open(page, row, fillAddress(row.path, ids), place)
      await expect(page, row.path).toHaveTitle(new RegExp(row.title))
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    }
  })
