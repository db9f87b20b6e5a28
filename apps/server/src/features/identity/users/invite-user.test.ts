import { auth } from '@voisol/contract/auth'
import { users as endpoints } from '@voisol/contract/users'
import { count, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { listMailsTo, waitForLink, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, signIns, throttles, users } from '../../../db/schema/index.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

type Person = Awaited<ReturnType<typeof makeUser>>
const invite = (admin: Person, email: string, headers: Record<string, string> = {}) =>
  call(
    server,
    endpoints.invite,
    { body: { email, firstName: 'Noé', lastName: 'Roy', role: 'client' } },
    { token: admin.token, headers },
  )
const resend = (admin: Person, id: string) =>
  call(server, endpoints.resendInvitation, { params: { id } }, { token: admin.token })

describe('inviting', () => {
  test('shows the invited person, and of an existing account only what the company entered', async () => {
    const admin = await makeUser(server.db)
    const known = await makeUser(server.db)
    await server.db.update(users).set({ phone: '06 00 00 00 00' }).where(eq(users.id, known.id))
    await server.db.insert(signIns).values({ userId: known.id, at: new Date() })
    const { body } = await invite(admin, known.email)
    expect(body).toMatchObject({
      status: 'invited',
      firstName: 'Noé',
      phone: '',
      lastSignInAt: null,
      secondFactor: false,
    })
    const [mail] = await waitForMails(server, known.email)
    expect(mail?.text).toContain('Camille')
    expect(mail?.html).toContain('/login?invitation=')
    expect((await call(server, auth.me, {}, { token: known.token })).body.companies).toHaveLength(1)
  })

  test('a second time is refused with the remedy; the same idempotency key returns the first invitation', async () => {
    const admin = await makeUser(server.db)
    const key = { 'idempotency-key': 'invitation-0001' }
    const first = await invite(admin, 'double@exemple.fr', key)
    expect((await invite(admin, 'double@exemple.fr', key)).body).toEqual(first.body)
    expect((await invite(admin, 'Double@Exemple.fr')).body).toMatchObject({
      status: 409,
      message: 'Cette personne est déjà invitée : renvoyez-lui son invitation.',
    })
    expect((await invite(admin, admin.email)).status).toBe(409)
  })

  test('again sends a new link and invalidates the old one', async () => {
    const admin = await makeUser(server.db)
    const { body } = await invite(admin, 'encore@exemple.fr')
    const old = await waitForLink(server, 'encore@exemple.fr', 'invitation')
    expect((await resend(admin, body.id)).status).toBe(200)
    const fresh = await waitForLink(server, 'encore@exemple.fr', 'invitation', 2)
    const read = (token: string) => call(server, auth.invitation, { params: { token } })
    expect([(await read(old)).status, (await read(fresh)).status]).toEqual([404, 200])
    expect((await resend(admin, admin.id)).status).toBe(409)
    const answers: number[] = []
    for (let i = 0; i < 6; i++) answers.push((await resend(admin, body.id)).status)
    expect(answers.at(-1)).toBe(429)
  })

  test('a pending invitation can be corrected and withdrawn', async () => {
    const admin = await makeUser(server.db)
    const known = await makeUser(server.db)
    const { body } = await invite(admin, known.email)
    const change = { firstName: 'Noël', lastName: 'Roy', phone: '', role: 'admin', version: body.version }
    const saved = await call(
      server,
      endpoints.update,
      { params: { id: body.id }, body: change },
      { token: admin.token },
    )
    expect(saved.body).toMatchObject({ firstName: 'Noël', role: 'admin', status: 'invited' })
    const [row] = await server.db.select().from(users).where(eq(users.id, known.id))
    expect(row?.firstName).toBe('Camille')
    const phone = { ...change, phone: '06', version: saved.body.version }
    const refused = await call(
      server,
      endpoints.update,
      { params: { id: body.id }, body: phone },
      { token: admin.token },
    )
    expect(refused.body.issues[0].path).toBe('phone')
  })
})

describe('importing', () => {
  const load = (admin: Person, csv: string, dryRun: boolean) =>
    call(server, endpoints.import, { body: { csv, dryRun } }, { token: admin.token })
  const FILE = [
    '\uFEFFE-mail;PRENOM;Nom;Rôle',
    'un@import.fr;Une;Première;client',
    'deux@import.fr;"Deux; bis";Deuxième;Administratrice',
    'pas une adresse;A;B;client',
    'trois@import.fr;;Sans prénom;client',
    'UN@import.fr;Une;Première;client',
    'quatre@import.fr;Q;R;roi',
    '',
    'cinq@import.fr;C;Cinq;',
  ].join('\r\n')

  test('a dry run reports the plan and writes nothing', async () => {
    const admin = await makeUser(server.db)
    const before = await server.db.select({ n: count() }).from(memberships)
    const { body } = await load(admin, `${FILE}\r\n${admin.email};C;D;client`, true)
    expect(body).toMatchObject({ invited: 3, existing: 1, refused: 4 })
    expect(body.lines.map((l: { line: number; outcome: string }) => [l.line, l.outcome])).toEqual([
      [2, 'invited'],
      [3, 'invited'],
      [4, 'refused'],
      [5, 'refused'],
      [6, 'refused'],
      [7, 'refused'],
      [9, 'invited'],
      [10, 'existing'],
    ])
    expect(body.lines[4].message).toBe('Déjà à la ligne 2 du fichier.')
    expect(await server.db.select({ n: count() }).from(memberships)).toEqual(before)
    expect(await listMailsTo(server, 'un@import.fr')).toEqual([])
  })

  test('invites the valid lines, and a second import only finds them', async () => {
    const admin = await makeUser(server.db)
    expect((await load(admin, FILE, false)).body).toMatchObject({ invited: 3, refused: 4 })
    await waitForMails(server, 'cinq@import.fr')
    const { items } = (await call(server, endpoints.list, { query: { q: 'import.fr' } }, { token: admin.token })).body
    expect(items.map((u: { email: string; role: string }) => `${u.email} ${u.role}`).sort()).toEqual([
      'cinq@import.fr client',
      'deux@import.fr admin',
      'un@import.fr client',
    ])
    expect((await load(admin, FILE, false)).body).toMatchObject({ invited: 0, existing: 3 })
  })

  test('accepts commas and other column titles', async () => {
    const admin = await makeUser(server.db)
    const { body } = await load(admin, 'Nom,Prénom,Courriel\nDupont,"Jean, Luc",jl@import.fr', true)
    expect(body.lines).toMatchObject([{ email: 'jl@import.fr', outcome: 'invited' }])
  })

  test('refuses an invalid file and names what is missing', async () => {
    const admin = await makeUser(server.db)
    expect((await load(admin, 'a;b\n1;2', true)).body.issues[0].message).toContain('email, prénom, nom')
    expect((await load(admin, 'email;prénom;nom', true)).status).toBe(422)
    const many = `email;prénom;nom\n${Array.from({ length: 1001 }, (_, i) => `p${i}@x.fr;A;B`).join('\n')}`
    expect((await load(admin, many, true)).body.issues[0].message).toContain('1000')
    expect((await load(admin, 'x', true)).status).toBe(422)
  })
})
