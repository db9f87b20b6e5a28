import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Permission } from '@voisol/contract/permissions'
import { screens } from '../src/app/screens/table.ts'
import type { Screen } from '../src/app/screens/types.ts'
import { findMissingPermission } from '../src/lib/admission.ts'
import { THREE_PERMISSIONS } from '../src/lib/test-access-profiles.ts'
import {
  fillAddress,
  isOldSignIn,
  navigateInPage,
  openWindow,
  resetPage,
  waitUntilIdle,
  watchErrors,
} from './fixtures.ts'
import { expect, inviteAndAccept, openAs, type Person, signInElsewhere, test } from './journeys/people.ts'
import { assignRole, buildDemoAdmin, defineRole, fetchUserRights, type UserRights } from './journeys/places.ts'

const rows = screens.filter(({ role }) => role === 'admin')
const PEOPLE = ['manager', 'accountant', 'technician', 'reader', 'custom', 'limited'] as const

/** Calls that were refused, and what the page complained about, from its first moment. */
function watchRefusals(page: Page): string[] {
  const found = watchErrors(page)
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (pathname.startsWith('/api/') && answer.status() >= 400) found.push(`${answer.status()} ${pathname}`)
  })
  return found
}

/** One after the other: opening a group brings rubrics of its own. */
async function openTabs(page: Page) {
  const seen = new Set<string>()
  for (;;) {
    const names = await page.getByRole('tab').allTextContents()
    const next = names.find((name) => !seen.has(name))
    if (next === undefined) return
    seen.add(next)
    const tab = page.getByRole('tab').nth(names.indexOf(next))
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await waitUntilIdle(page)
  }
}

/** Somebody sees the screen, or is told inside the shell which right is missing. */
async function visit(page: Page, row: Screen, address: string, who: UserRights) {
  await navigateInPage(page, address)
  const refusal = page.getByRole('heading', { level: 2, name: 'Accès refusé' })
  await expect(page).toHaveTitle(new RegExp(row.title))
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await waitUntilIdle(page)
  expect(new URL(page.url()).pathname, row.path).toBe(address)
  await expect(page.getByRole('complementary', { name: 'Menu' })).toBeVisible()
  if (!findMissingPermission(row, who)) {
    await expect(refusal, row.path).toHaveCount(0)
    await openTabs(page)
  } else {
    await expect(refusal, row.path).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(row.title)
  }
}

const buildNames = (role: string) => ({ firstName: 'Rôle', lastName: role })

for (const who of PEOPLE)
  test(`${who}: each back-office screen opens or names the missing right, and no call is refused`, async ({
    browser,
    request,
    tokens,
    ids,
  }) => {
    test.setTimeout(900_000)
    const admin = buildDemoAdmin(tokens.admin)
    const role = {
      custom: async () => defineRole(request, admin, `Trois droits ${randomUUID().slice(0, 8)}`, THREE_PERMISSIONS),
      limited: async () => 'manager',
    }[who as string]
    const person: Person = await inviteAndAccept(request, admin, {
      ...buildNames(who),
      role: role ? await role() : who,
      ...(who === 'limited' && { operationIds: [ids.operationId] }),
    })
    const standing = await fetchUserRights(request, person)
    const page = await openAs(browser, person)
    const found = watchRefusals(page)
    await page.goto('/notifications')
    for (const row of rows) {
      await test.step(row.path, () => visit(page, row, fillAddress(row.path, ids), standing))
      expect(found, row.path).toEqual([])
    }
  })

/** Somebody of the demo company with a window that stays open, whose role each test replaces. */
const testWithColleague = test.extend<object, { colleague: () => Promise<{ person: Person; window: Page }> }>({
  colleague: [
    async ({ browser, playwright, tokens }, use, { project }) => {
      const request = await playwright.request.newContext({ baseURL: project.use.baseURL ?? '' })
      const person = await inviteAndAccept(request, buildDemoAdmin(tokens.admin), {
        ...buildNames('seul'),
        role: 'reader',
      })
      let window = await openWindow(browser, project.use, person.token)
      let signedInAt = Date.now()
      await use(async () => {
        if (isOldSignIn(signedInAt)) {
          signedInAt = Date.now()
          person.token = await signInElsewhere(request, person)
          await window.context().close()
          window = await openWindow(browser, project.use, person.token)
        }
        return { person, window }
      })
      await window.context().close()
      await request.dispose()
    },
    { scope: 'worker' },
  ],
})

/** The rows by the rights they ask for: whoever holds just those sees the screen and nothing of it is refused. */
const permissionSets = Map.groupBy(
  rows.filter(({ permission }) => permission),
  ({ permission, also = [] }) => [permission, ...also].join(' '),
)
for (const [rights, own] of permissionSets)
  testWithColleague(
    `a role of only ${rights} opens its screens, and no call is refused`,
    async ({ colleague, request, tokens, ids }) => {
      testWithColleague.slow()
      const { person, window } = await colleague()
      const admin = buildDemoAdmin(tokens.admin)
      const permissions = rights.split(' ') as Permission[] // joined from rights just above
      const name = `Juste ${randomUUID().slice(0, 8)}`
      await assignRole(request, admin, person, await defineRole(request, admin, name, permissions))
      const page = await resetPage(window)
      const found = watchRefusals(page)
      await page.goto('/notifications')
      for (const row of own) {
        await test.step(row.path, () => visit(page, row, fillAddress(row.path, ids), { space: 'office', permissions }))
        expect.soft(found, row.path).toEqual([])
        found.length = 0
      }
    },
  )
