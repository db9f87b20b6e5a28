import { screens as rows } from '../src/screens/table.ts'
import {
  addressOf,
  expect,
  expectAccessible,
  expectNoOverflow,
  type Person,
  test,
  WIDTHS,
  watchErrors,
} from './fixtures.ts'

const HOME = { admin: '/dashboard', client: '/client-portal' }

/** The law of the table: who sees a screen, and where everybody else is sent. */
for (const row of rows)
  for (const who of ['nobody', 'admin', 'client'] as const)
    test(`${row.path} as ${who}`, async ({ page, signedIn, ids }) => {
      if (who !== 'nobody') await signedIn(who)
      const address = addressOf(row.path, ids)
      await page.goto(address)
      if (row.role === 'public' && row.path !== '/login') await expect(page).toHaveURL(address)
      else if (row.path === '/login') await expect(page).toHaveURL(who === 'nobody' ? '/login' : HOME[who])
      else if (who === 'nobody') await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(address)}`)
      else await expect(page).toHaveURL(row.role === who ? address : HOME[who])
    })

for (const row of rows)
  test(`${row.path} is titled, accessible and whole at every width`, async ({ page, signedIn, ids }) => {
    test.slow() // a screen full of data is measured three times
    if (row.role !== 'public') await signedIn(row.role as Person) // not public: one of the two roles
    const errors = watchErrors(page)
    await page.goto(addressOf(row.path, ids))
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page).toHaveTitle(new RegExp(row.title))
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForLoadState('networkidle')
      await expectNoOverflow(page)
      await expectAccessible(page)
    }
    expect(errors).toEqual([])
  })
