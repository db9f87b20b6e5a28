import type { Page } from '@playwright/test'
import { screens as rows } from '../src/app/screens/table.ts'
import type { Screen } from '../src/app/screens/types.ts'
import {
  type DemoUser,
  expect,
  expectAccessible,
  expectNoOverflow,
  expectTablesNotCut,
  fillAddress,
  getSkippedRules,
  listFixedElements,
  navigateInPage,
  test,
  WIDTHS,
  waitUntilIdle,
  watchErrors,
} from './fixtures.ts'

const HOME = { admin: '/dashboard', client: '/client-portal' }
type Visitor = 'nobody' | DemoUser

/** Whom the table lets in; with the role public, that is whoever has not signed in. */
const getOwnVisitor = ({ role }: Screen): Visitor => (role === 'public' ? 'nobody' : role)

/** Where the table leads somebody who opens an address. */
function getDestination(row: Screen, who: Visitor, address: string) {
  if (row.path === '/login') return who === 'nobody' ? address : HOME[who]
  if (row.role === 'public') return address
  if (who === 'nobody') return `/login?redirect=${encodeURIComponent(address)}`
  return row.role === who ? address : HOME[who]
}

/** A link inside the product leads there faster than a page that is loaded anew; its own program must run for that. */
async function follow(page: Page, who: Visitor, address: string) {
  if (page.url() === 'about:blank') await page.goto(who === 'nobody' ? '/login' : HOME[who])
  await navigateInPage(page, address)
}

test('the server answers at every address of the table', async ({ request, ids }) => {
  for (const row of rows) {
    const answer = await request.get(fillAddress(row.path, ids))
    expect(answer.status(), row.path).toBe(200)
    expect(await answer.text(), row.path).toContain('<div id="root"')
  }
})

/** The law of the table for those whom a screen is not for; the others are seen on it below. */
for (const who of ['nobody', 'admin', 'client'] as const)
  for (const row of rows.filter((one) => getOwnVisitor(one) !== who))
    test(`${row.path} as ${who}`, async ({ windowOf, ids }) => {
      const page = await windowOf(who)
      const address = fillAddress(row.path, ids)
      await follow(page, who, address)
      await expect(page).toHaveURL(getDestination(row, who, address))
    })

/** The screen of parts shows several of what a page has one of. */
const OF_PARTS = [
  'heading-order',
  'landmark-unique',
  'landmark-no-duplicate-main',
  'landmark-no-duplicate-banner',
  'region',
]

for (const row of rows)
  test(`${row.path} is titled, accessible and whole at every width`, async ({ windowOf, ids }) => {
    test.slow() // a screen full of data takes long to measure
    const page = await windowOf(getOwnVisitor(row))
    const errors = watchErrors(page)
    const address = fillAddress(row.path, ids)
    await page.goto(address)
    await expect(page).toHaveURL(getDestination(row, getOwnVisitor(row), address))
    await expect(page).toHaveTitle(new RegExp(row.title))
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await waitUntilIdle(page, row.dev)
      await expectNoOverflow(page)
      await expectTablesNotCut(page, width)
      if (width === 390 && row.role === 'admin') expect(await listFixedElements(page)).toEqual([])
      await expectAccessible(page, { without: [...getSkippedRules(width), ...(row.dev ? OF_PARTS : [])] })
    }
    expect(errors).toEqual([])
  })
