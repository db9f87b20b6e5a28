import { randomInt, randomUUID } from 'node:crypto'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { test as base, expect, expectAccessible, expectNoOverflow, watchCalls } from '../fixtures.ts'
import { comesUp, momentOf, RULES_LEFT_OUT } from '../sampling.ts'

export { expect }
export const SECRET = 'un toit partagé au soleil'
export type Person = { email: string; password: string; token: string; firstName: string; companyId: number }

const part = () => randomInt(1, 255)
const unique = (name: string) => `${name}-${randomUUID().slice(0, 8)}@exemple.fr`
export const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` })

/** A new company and its administrator, as the registration form makes them. */
export async function register(request: APIRequestContext, companyName = 'Les Tuiles Bleues'): Promise<Person> {
  const names = { firstName: 'Élodie', lastName: 'Garnier' }
  const account = { ...names, email: unique('elodie'), password: SECRET }
  const answer = await request.post('/api/auth/register', { data: { ...account, companyName } })
  expect(answer.status()).toBe(200)
  const { token, user } = await answer.json()
  return { ...account, token, companyId: user.companyId }
}

/** The path in the newest message caught for that person. */
export async function mailed(request: APIRequestContext, email: string, pattern = /\/login\?invitation=[\w-]+/) {
  const read = async () => {
    const list = await (await request.get('/dev/mail')).text()
    const row = list.split('<li>').find((text) => text.includes(email))
    const file = /href="(\/dev\/mail\/[^"]+)"/.exec(row ?? '')?.[1]
    const text = file ? await (await request.get(file)).text() : ''
    return pattern.exec(text)?.[0] ?? ''
  }
  let found = ''
  await expect.poll(async () => (found = await read()), { intervals: [100], timeout: 30_000 }).not.toBe('')
  return found
}

const confirmed = new Set<string>()

/** Follows the link of the registration, which comes before anybody can be invited. */
export async function confirmAddress(request: APIRequestContext, person: Person) {
  const { email } = person
  if (confirmed.has(email)) return
  const me = await (await request.get('/api/auth/me', { headers: bearer(person) })).json()
  if (me.emailVerified) return
  const link = await mailed(request, email, /\/login\?verify=[\w-]+/)
  const data = { token: link.split('=')[1] }
  const answer = await request.post('/api/auth/verify-email', { headers: bearer(person), data })
  expect(answer.status()).toBe(200)
  confirmed.add(email)
}

/** `role` is one of the product's by its name, or one of the company's by its id. */
type Invited = { firstName: string; lastName: string; role: string; operationIds?: string[] }

export async function invite(request: APIRequestContext, admin: Person, invited: Invited) {
  const email = unique('invite')
  await confirmAddress(request, admin)
  const answer = await request.post('/api/users', { headers: bearer(admin), data: { ...invited, email } })
  expect(answer.status()).toBe(200)
  return email
}

/** Somebody who has accepted the invitation. */
export async function join(request: APIRequestContext, admin: Person, invited: Invited): Promise<Person> {
  const email = await invite(request, admin, invited)
  const path = (await mailed(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const { firstName, lastName } = invited
  const answer = await request.post(`${path}/accept`, { data: { firstName, lastName, password: SECRET } })
  expect(answer.status()).toBe(200)
  return { email, password: SECRET, token: (await answer.json()).token, firstName, companyId: admin.companyId }
}

/** Another session of the same person, opened from a browser that calls itself so. */
export async function signInElsewhere(
  request: APIRequestContext,
  { email, password }: Pick<Person, 'email' | 'password'>,
  userAgent?: string,
) {
  const answer = await request.post('/api/auth/login', {
    headers: userAgent ? { 'user-agent': userAgent } : {},
    data: { email, password },
  })
  expect(answer.status()).toBe(200)
  return String((await answer.json()).token)
}

/** Once only: a session closed later stays closed. */
export const carry = (page: Page, token: string) =>
  page.addInitScript((value) => {
    if (sessionStorage.getItem('arrived')) return
    sessionStorage.setItem('arrived', 'yes')
    localStorage.setItem('token', value)
  }, token)

export async function openAs(browser: Browser, { token }: Pick<Person, 'token'>): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  watchCalls(page)
  await carry(page, token)
  return page
}

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click()
}

/** On a page whose clock is installed: the farewell takes four seconds that nobody needs to wait for. */
export async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Mon compte' }).click()
  await page.getByRole('menuitem', { name: 'Déconnexion' }).click()
  await expect(page).toHaveURL('/login?logout=true')
  await page.clock.runFor(4000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** What the one toast on screen says. */
export const said = (page: Page) => page.getByRole('region', { name: /^Notifications \(F8\)/ }).getByRole('listitem')

/** As it stands now: accessible, and nothing sticking out of a phone, each where its turn has come, the dearer more seldom. */
export async function expectWhole(page: Page) {
  const moment = momentOf(test.info().titlePath.join(' '))
  if (comesUp(moment, 5)) await expectAccessible(page, { without: RULES_LEFT_OUT })
  if (!comesUp(moment, 2)) return
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  if (size) await page.setViewportSize(size)
}

/** `admin` has a company of their own, open in `page`. Each test comes from its own address: the limits are per address. */
export const test = base.extend<{ admin: Person; closeOthers: undefined }>({
  /** Other people's windows would go on drawing beside the next tests. */
  closeOthers: [
    async ({ browser, context }, use) => {
      await use(undefined)
      for (const other of browser.contexts()) if (other !== context) await other.close()
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the first argument of a fixture says what it needs, here nothing
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': `10.${part()}.${part()}.${part()}` }),
  admin: async ({ page, request }, use) => {
    const person = await register(request)
    await carry(page, person.token)
    await use(person)
  },
})
