import type { Page } from '@playwright/test'
import { DEMO_EMAILS, DEMO_PASSWORD, type DemoUser, expect, expectAccessible, test } from '../fixtures.ts'
import { setSessionToken, signInElsewhere } from './people.ts'

const HOME = { admin: '/dashboard', client: '/client-portal' }
const DAY = 24 * 3_600_000

async function signIn(page: Page, who: DemoUser, address = '/login') {
  await page.goto(address)
  await page.getByLabel('Adresse e-mail').fill(DEMO_EMAILS[who])
  await page.getByLabel('Mot de passe', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click()
}

/** Sessions of their own: the shared ones must outlive a test that signs out. */
async function arrive(page: Page, who: DemoUser) {
  await setSessionToken(page, await signInElsewhere(page.request, { email: DEMO_EMAILS[who], password: DEMO_PASSWORD }))
  await page.goto(HOME[who])
  await expect(page.getByRole('button', { name: 'Mon compte' })).toBeVisible()
}

async function clickSignOut(page: Page) {
  await page.getByRole('button', { name: 'Mon compte' }).click()
  await page.getByRole('menuitem', { name: 'Déconnexion' }).click()
}

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

for (const who of ['admin', 'client'] as const)
  test(`${who} signs in with the keyboard alone and lands at home`, async ({ page }) => {
    await page.goto('/login')
    await page.getByLabel('Adresse e-mail').focus()
    await page.keyboard.type(DEMO_EMAILS[who])
    await page.keyboard.press('Tab')
    await page.keyboard.type(DEMO_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(HOME[who])
    expect(await stored(page, 'token')).toMatch(/^\S{20,}$/)
    expect(await stored(page, 'voisol_session_info')).toContain('lastActivity')
  })

test('the guard: nobody goes to /login, each role to its own home', async ({ page, signedIn }) => {
  await page.goto('/users?q=martin')
  await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent('/users?q=martin')}`)
  await signedIn('client')
  await page.goto('/users')
  await expect(page).toHaveURL('/client-portal')
})
test('the guard: an administrator does not enter the portal', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/client-portal/profile')
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
})

test('the page asked for comes after sign-in', async ({ page }) => {
  await signIn(page, 'admin', '/users?q=martin')
  await expect(page).toHaveURL('/users?q=martin')
})

const ATTACKS = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '%2F%2Fevil.example',
  '/%252Fevil.example',
  '/.//evil.example',
]
test('a redirect elsewhere leads home', async ({ page, signedIn }) => {
  await signedIn('admin')
  for (const attack of ATTACKS) {
    await page.goto(`/login?redirect=${encodeURIComponent(attack)}`)
    await expect(page, attack).toHaveURL('/dashboard')
  }
})

test('a wrong password is refused in words, and the focus goes to them', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Adresse e-mail').fill('personne@exemple.fr')
  await page.getByLabel('Mot de passe', { exact: true }).fill('pas le bon mot de passe')
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click()
  const refusal = page.getByRole('alert')
  await expect(refusal).toHaveText('Adresse e-mail ou mot de passe incorrect.')
  await expect(refusal).toBeFocused()
  await expectAccessible(page)
})

test('answers that are not what they should be', async ({ page }) => {
  const say = async (status: number, contentType: string, body: string) => {
    await page.unrouteAll()
    await page.route('**/api/auth/login', (route) => route.fulfill({ status, contentType, body }))
    await signIn(page, 'admin')
  }
  await say(502, 'text/html', '<h1>Bad gateway</h1>')
  await expect(page.getByRole('alert')).toHaveText('Server returned invalid response')
  await say(200, 'application/json', '{"token":"t"}')
  await expect(page.getByRole('alert')).toHaveText('Invalid response from server')
  await say(500, 'application/json', '{}')
  await expect(page.getByRole('alert')).toHaveText('Login failed')
  await say(403, 'application/json', '{"error":"Accès fermé."}')
  await expect(page.getByRole('alert')).toHaveText('Accès fermé.')
})

test('empty fields are named beside them and in the summary', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click()
  await expect(page.getByLabel('Adresse e-mail')).toBeFocused()
  await expect(page.getByRole('alert')).toContainText('2 points à corriger')
  await expectAccessible(page)
})

test('the logout overlay: its steps, its texts, its end', async ({ page }) => {
  await page.clock.install()
  await arrive(page, 'admin')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await clickSignOut(page)
  const overlay = page.getByRole('dialog')
  const bar = overlay.getByRole('progressbar')
  await expect(overlay).toContainText('Déconnexion en cours...')
  await expect(overlay).toContainText('Nettoyage de vos données de session')
  await expect(overlay).toContainText('À bientôt, Claire')
  await expect(bar).toHaveAttribute('aria-valuenow', '33')
  await expect(page.getByText('Déconnexion...', { exact: true }).first()).toBeVisible()
  await expect.poll(() => stored(page, 'token')).toBeNull()
  expect(await stored(page, 'force_logout')).toBe('true')
  await page.clock.runFor(799)
  await expect(page).toHaveURL('/dashboard')
  await page.clock.runFor(1)
  await expect(page).toHaveURL('/login?logout=true')
  await page.clock.runFor(200)
  await expect(overlay).toContainText('Déconnexion réussie !')
  await expect(overlay).toContainText('Vos données ont été sécurisées')
  await expect(bar).toHaveAttribute('aria-valuenow', '66')
  await page.clock.runFor(1500)
  await expect(overlay).toContainText('Redirection...')
  await expect(bar).toHaveAttribute('aria-valuenow', '100')
  await page.clock.runFor(1500)
  await expect(overlay).toHaveCount(0)
  await expect(page).toHaveURL('/login?logout=true')
  await expect(page.getByText('Vous êtes déconnecté.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?redirect=%2Fdashboard')
  expect(await stored(page, 'force_logout')).toBeNull()
})

test('signing out closes the session on the server', async ({ page }) => {
  await arrive(page, 'client')
  const token = await stored(page, 'token')
  await clickSignOut(page)
  await expect(page).toHaveURL('/login?logout=true')
  const me = () => page.request.get('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })
  await expect.poll(async () => (await me()).status()).toBe(401)
})

test('signing out in one tab signs out the other', async ({ page, context }) => {
  await arrive(page, 'admin')
  const other = await context.newPage()
  await other.goto('/users')
  await expect(other.getByRole('table', { name: 'Utilisateurs' }).getByRole('row').nth(1)).toBeVisible()
  await clickSignOut(page)
  await expect(other).toHaveURL('/login')
})

test('a session closed on the server ends at the next call and comes back where it was', async ({ page }) => {
  await arrive(page, 'admin')
  const token = await stored(page, 'token')
  const headers = { authorization: `Bearer ${token}` }
  await page.request.post('/api/auth/logout', { headers })
  await page.goto('/dashboard').catch(() => undefined)
  await expect(page).toHaveURL('/login?redirect=%2Fdashboard')
})

test('24 hours without activity end the session', async ({ page }) => {
  await page.clock.install()
  await arrive(page, 'admin')
  await page.clock.fastForward(DAY + 30_000)
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(/24\sheures sans activité/)).toBeVisible()
  expect(await stored(page, 'voisol_logout_state')).toContain('inactivity')
})

test('force_logout keeps the person out, once', async ({ page }) => {
  await arrive(page, 'admin')
  await page.evaluate(() => localStorage.setItem('force_logout', 'true'))
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?redirect=%2Fdashboard')
  expect(await stored(page, 'force_logout')).toBeNull()
})

test('dev-token opens nothing and asks nothing', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.addInitScript(() => localStorage.setItem('token', 'dev-token'))
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?redirect=%2Fdashboard')
  expect(asked).not.toContain('/api/auth/me')
})

test('registration opens the trial, a forgotten password is replaced through the mail', async ({ page }) => {
  const email = `essai-${Date.now()}@exemple.fr`
  await page.goto('/login?mode=register')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Essai gratuit de 30\sjours/)
  await page.getByLabel('Prénom').fill('Lucie')
  await page.getByLabel('Nom', { exact: true }).fill('Petit')
  await page.getByLabel('Nom de votre organisation').fill('Copropriété des Lilas')
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill('trop court')
  await page.getByRole('button', { name: /Commencer mes 30/ }).click()
  await expect(page.getByText('Au moins 15 caractères.')).toBeVisible()
  await page.getByLabel('Mot de passe', { exact: true }).fill('les lilas au soleil du matin')
  await page.getByRole('button', { name: /Commencer mes 30/ }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.getByRole('link', { name: 'Mot de passe oublié' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mot de passe oublié')
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByRole('button', { name: 'Recevoir le lien' }).click()
  await expect(page.getByText(/un message vient de lui être envoyé/)).toBeVisible()
  const link = await resetLink(page, email)
  await page.goto(link)
  await page.getByLabel('Nouveau mot de passe').fill('les lilas au soleil du soir')
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await expect(page.getByText(/Votre nouveau mot de passe est enregistré/)).toBeVisible()
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill('les lilas au soleil du soir')
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.goto(link)
  await page.getByLabel('Nouveau mot de passe').fill('les lilas au soleil du matin')
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await expect(page.getByRole('alert')).toHaveText('Ce lien a déjà été utilisé.')
})

/** The address in the newest message caught for that person. */
async function resetLink(page: Page, email: string): Promise<string> {
  let found = ''
  await expect
    .poll(
      async () => {
        const list = await (await page.request.get('/dev/mail')).text()
        const row = list.split('<li>').find((part) => part.includes(email))
        const mail = /href="(\/dev\/mail\/[^"]+)"/.exec(row ?? '')?.[1]
        const text = mail ? await (await page.request.get(mail)).text() : ''
        found = /\/login\?reset=[\w-]+/.exec(text)?.[0] ?? ''
        return found
      },
      { timeout: 30_000 },
    )
    .not.toBe('')
  return found
}

test('an address already taken is refused with the specified text', async ({ page }) => {
  await page.goto('/login?mode=register')
  await page.getByLabel('Prénom').fill('Claire')
  await page.getByLabel('Nom', { exact: true }).fill('Martin')
  await page.getByLabel('Nom de votre organisation').fill('Autre')
  await page.getByLabel('Adresse e-mail').fill(DEMO_EMAILS.admin)
  await page.getByLabel('Mot de passe', { exact: true }).fill('une phrase assez longue')
  await page.getByRole('button', { name: /Commencer mes 30/ }).click()
  await expect(page.getByRole('alert')).toContainText('Registration failed')
})

test('the demonstration of the overlay leaves the session open', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.clock.install()
  await page.goto('/logout-animation-demo')
  await page.getByRole('button', { name: 'Jouer l’animation' }).click()
  await expect(page.getByRole('dialog')).toContainText('Déconnexion réussie !')
  await page.clock.runFor(4000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Jouer l’animation' })).toBeFocused()
  expect(await stored(page, 'token')).not.toBeNull()
})

test('the state of this browser shows its logouts and forgets them on demand', async ({ page, signedIn }) => {
  await signedIn('admin')
  const record = {
    isLoggedOut: true,
    logoutTime: Date.now() - 60_000,
    reason: 'inactivity',
    sessionId: 's',
    userId: 'u',
    lastActivity: Date.now() - DAY,
  }
  await page.goto('/status')
  await page.evaluate((text) => localStorage.setItem('voisol_logout_history', text), JSON.stringify([record]))
  await page.goto('/logout-state-admin')
  await expect(page.getByRole('cell', { name: /24 heures sans activité/ })).toBeVisible()
  await page.getByRole('button', { name: 'Vérifier maintenant' }).click()
  await expect(page.getByText('La session est active', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Effacer l’historique' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Effacer l’historique' }).click()
  await expect(page.getByText('Aucune déconnexion enregistrée')).toBeVisible()
})
