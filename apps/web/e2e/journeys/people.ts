import { randomInt, randomUUID } from 'node:crypto'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { test as base, expect, expectAccessible, expectNoOverflow, isLasting, trackRequests } from '../fixtures.ts'

export { expect }
export const TEST_PASSWORD = 'un toit partagé au soleil'
export type Person = { email: string; password: string; token: string; firstName: string; companyId: number }

const randomByte = () => randomInt(1, 255)
const uniqueEmail = (name: string) => `${name}-${randomUUID().slice(0, 8)}@exemple.fr`
export const buildBearerHeader = ({ token }: Person) => ({ authorization: `Bearer ${token}` })

/** A new company and its administrator, as the registration form makes them. */
export async function register(request: APIRequestContext, companyName = 'Les Tuiles Bleues'): Promise<Person> {
  const names = { firstName: 'Élodie', lastName: 'Garnier' }
  const account = { ...names, email: uniqueEmail('elodie'), password: TEST_PASSWORD }
  const answer = await request.post('/api/auth/register', { data: { ...account, companyName } })
  expect(answer.status()).toBe(200)
  const { token, user } = await answer.json()
  return { ...account, token, companyId: user.companyId }
}

/** The path in the newest message caught for that person. */
export async function readMailedLink(
  request: APIRequestContext,
  email: string,
  pattern = /\/login\?invitation=[\w-]+/,
) {
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

const confirmedEmails = new Set<string>()

/** Follows the link of the registration, which comes before anybody can be invited. */
export async function confirmAddress(request: APIRequestContext, person: Person) {
  const { email } = person
  if (confirmedEmails.has(email)) return
  const me = await (await request.get('/api/auth/me', { headers: buildBearerHeader(person) })).json()
  if (me.emailVerified) return
  const link = await readMailedLink(request, email, /\/login\?verify=[\w-]+/)
  const data = { token: link.split('=')[1] }
  const answer = await request.post('/api/auth/verify-email', { headers: buildBearerHeader(person), data })
  expect(answer.status()).toBe(200)
  confirmedEmails.add(email)
}

/** `role` is one of the product's by its name, or one of the company's by its id. */
type InviteInput = { firstName: string; lastName: string; role: string; operationIds?: string[] }

export async function invite(request: APIRequestContext, admin: Person, invited: InviteInput) {
  const email = uniqueEmail('invite')
  await confirmAddress(request, admin)
  const answer = await request.post('/api/users', { headers: buildBearerHeader(admin), data: { ...invited, email } })
  expect(answer.status()).toBe(200)
  return email
}

/** Somebody who has accepted the invitation. */
export async function inviteAndAccept(
  request: APIRequestContext,
  admin: Person,
  invited: InviteInput,
): Promise<Person> {
  const email = await invite(request, admin, invited)
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const { firstName, lastName } = invited
  const answer = await request.post(`${path}/accept`, { data: { firstName, lastName, password: TEST_PASSWORD } })
  expect(answer.status()).toBe(200)
  return { email, password: TEST_PASSWORD, token: (await answer.json()).token, firstName, companyId: admin.companyId }
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
export const setSessionToken = (page: Page, token: string) =>
  page.addInitScript((value) => {
    if (sessionStorage.getItem('arrived')) return
    sessionStorage.setItem('arrived', 'yes')
    localStorage.setItem('token', value)
  }, token)

export async function openAs(browser: Browser, { token }: Pick<Person, 'token'>): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  trackRequests(page)
  await setSessionToken(page, token)
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
export const getToast = (page: Page) =>
  page.getByRole('region', { name: /^Notifications \(F8\)/ }).getByRole('listitem')

/** As it stands now: accessible, and nothing sticking out of a phone. */
export async function expectAccessibleAndNoOverflow(page: Page) {
  await expectAccessible(page)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  if (size) await page.setViewportSize(size)
}

/** `admin` has a company of their own, open in `page`. Each test comes from its own address: the limits are per address. */
export const test = base.extend<{ admin: Person; closeOthers: undefined }>({
  /** Windows that a test opened would go on drawing beside the next tests. */
  closeOthers: [
    async ({ browser }, use) => {
      await use(undefined)
      for (const other of browser.contexts()) if (!isLasting(other)) await other.close()
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the first argument of a fixture says what it needs, here nothing
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': `10.${randomByte()}.${randomByte()}.${randomByte()}` }),
  admin: async ({ page, request }, use) => {
    const person = await register(request)
    await setSessionToken(page, person.token)
    await use(person)
  },
})
