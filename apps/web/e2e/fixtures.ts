import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

export const PASSWORD = 'soleil-partage-demo'
export const EMAILS = { admin: 'admin@demo.voisol.fr', client: 'client@demo.voisol.fr' }
export const WIDTHS = [390, 768, 1440]
export type Person = keyof typeof EMAILS

/** Console errors and failed scripts of the page, gathered from its first moment. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

export async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
}

/** Nothing may stick out of the window: a page that scrolls sideways is broken on a phone. */
export const expectNoOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)

type Fixtures = { signedIn: (who: Person) => Promise<void> }
type Workers = { tokens: Record<Person, string> }

export const test = base.extend<Fixtures, Workers>({
  /** One sign-in per worker and role; the tests of sign-in itself use the form. */
  tokens: [
    async ({ playwright }, use, info) => {
      const api = await playwright.request.newContext({ baseURL: info.project.use.baseURL ?? '' })
      const token = async (email: string) => {
        const answer = await api.post('/api/auth/login', { data: { email, password: PASSWORD } })
        return String((await answer.json()).token)
      }
      await use({ admin: await token(EMAILS.admin), client: await token(EMAILS.client) })
      await api.dispose()
    },
    { scope: 'worker' },
  ],
  signedIn: async ({ page, tokens }, use) => {
    await use(async (who) => {
      await page.addInitScript((token) => localStorage.setItem('token', token), tokens[who])
    })
  },
})
export { expect }
