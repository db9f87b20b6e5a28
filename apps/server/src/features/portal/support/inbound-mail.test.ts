import { supportDesk } from '@voisol/contract/support-agents'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { createSupportCalls, makeSupportFixture } from '../../../../test/factories-portal.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { AppError } from '../../../http/errors.ts'
import type { MailReceiver } from '../../../integrations/mail-in/mail-in.ts'
import { startSupportMailServer } from './inbound-mail.ts'
import { buildReplyAddress } from './reply-address.ts'

const HOST = 'reponses.exemple.fr'
const server = useServer({ SUPPORT_MAIL_HOST: HOST, SUPPORT_SMTP_PORT: '0' })
const calls = createSupportCalls(server)
let reception: MailReceiver | undefined
let scene: Awaited<ReturnType<typeof makeSupportFixture>>
beforeAll(async () => {
  reception = await startSupportMailServer(server.deps)
})
afterAll(() => reception?.close())
beforeEach(async () => {
  scene = await makeSupportFixture(server)
})

const send = async (mail: SendMailOptions) => {
  const transport = createTransport({ host: '127.0.0.1', port: reception?.port ?? 0, secure: false, ignoreTLS: true })
  try {
    return await transport.sendMail({ subject: 'Re: votre demande', text: 'Merci, c’est clair.', ...mail })
  } finally {
    transport.close()
  }
}
const code = (mail: SendMailOptions) =>
  send(mail).then(
    () => 250,
    (error: { responseCode?: number }) => error.responseCode,
  )
const addressOf = (id: string) => buildReplyAddress(server.deps.secrets, HOST, { companyId: scene.companyId, id })
const ticket = async () => (await calls.ask(scene.client)).body
const messages = async (id: string) => (await calls.open(scene.admin, id)).body.messages

describe('an answer by mail', () => {
  test('comes back into the thread it answers, without what it quotes, with its files', async () => {
    const { admin, client } = scene
    const { id } = await ticket()
    await calls.answer(admin, id, { leaves: 'solved' })
    const mail = await waitUntil(async () =>
      (await listMailsTo(server, client.email)).find(({ subject }) => subject?.startsWith('Réponse')),
    )
    const to = mail.replyTo?.[0]?.address ?? ''
    expect(to).toBe(addressOf(id))
    expect(mail.text).toContain('Répondez au-dessus de cette ligne')
    const text = `Il manque une ligne.\n\nLe 23 mars 2026 à 10:12, Voisol <x@exemple.fr> a écrit :\n> ${mail.text}`
    const attachments = [
      { filename: 'compteur.png', content: Buffer.from('png') },
      { filename: 'virus.exe', content: Buffer.from('MZ') },
    ]
    await send({ from: client.email.toUpperCase(), to, text, attachments })
    const read = (await calls.read(client, id)).body
    expect(read).toMatchObject({ state: 'open', lastSide: 'asker' })
    expect(read.messages.at(-1)).toMatchObject({
      side: 'asker',
      source: 'mail',
      body: 'Il manque une ligne.\n\n[Pièces jointes non gardées\u00a0: 1]',
      files: [{ name: 'compteur.png' }],
    })
    const file = await call(server, supportDesk.file, { params: { id: read.messages.at(-1).files[0].id } }, admin)
    expect(file.text).toBe('png')
  })

  test('delivered twice is one message; a page alone is read as its words', async () => {
    const { client } = scene
    const { id } = await ticket()
    const mail = { from: client.email, to: addressOf(id), messageId: '<une-fois@exemple.fr>' }
    const html =
      '<style>p{}</style><p>Bonjour&nbsp;&amp; merci<br>Zoé</p><blockquote>ancien</blockquote><script>alert(1)</script>'
    for (const _ of [1, 2]) await send({ ...mail, text: undefined as never, html })
    const thread = await messages(id)
    expect(thread).toHaveLength(2)
    expect(thread[1].body).toBe('Bonjour & merci\nZoé')
  })

  test('goes to the ticket that its own was put together with', async () => {
    const { admin, client } = scene
    const [first, second] = [await ticket(), await ticket()]
    await calls.merge(admin, first.id, second.id)
    await send({ from: client.email, to: addressOf(first.id) })
    expect((await messages(second.id)).at(-1)).toMatchObject({ source: 'mail', body: 'Merci, c’est clair.' })
  })
})

describe('what does not come from the asker', () => {
  test('waits for the desk, which lets it in or throws it away', async () => {
    const { admin, client } = scene
    const { id } = await ticket()
    for (const from of ['voisin@exemple.fr', 'autre@exemple.fr'])
      await send({ from, to: addressOf(id), attachments: [{ filename: 'note.txt', content: 'x' }] })
    expect((await calls.read(client, id)).body.messages).toHaveLength(1)
    expect((await calls.queue(admin)).body.items[0]).toMatchObject({ id, held: 2, state: 'new' })
    const [, first, second] = await messages(id)
    expect(first).toMatchObject({ heldFrom: 'voisin@exemple.fr', author: 'voisin@exemple.fr' })
    const decide = (message: { id: string }, decision: string) =>
      call(server, supportDesk.release, { params: { id: message.id }, body: { decision } }, admin)
    expect((await decide(first, 'accept')).status).toBe(200)
    expect((await decide(second, 'drop')).body.messages).toHaveLength(2)
    expect((await decide(first, 'drop')).status).toBe(404)
    expect((await calls.read(client, id)).body.messages).toHaveLength(2)
  })

  test('a forged, foreign or ordinary address is refused before anything is said', async () => {
    const { client } = scene
    const { id } = await ticket()
    const good = addressOf(id)
    const foreign = buildReplyAddress(server.deps.secrets, HOST, { companyId: scene.companyId + 1, id }).replace(
      /\+\w+-/,
      /\+\w+-/.exec(good)?.[0] ?? '',
    )
    for (const to of [
      good.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0')),
      foreign,
      `support@${HOST}`,
      'x@exemple.fr',
    ])
      expect([to, await code({ from: client.email, to })]).toEqual([to, 550])
    expect(await messages(id)).toHaveLength(1)
  })

  test('programs that answer by themselves are not heard', async () => {
    const { client } = scene
    const { id } = await ticket()
    const to = addressOf(id)
    for (const headers of [{ 'Auto-Submitted': 'auto-replied' }, { Precedence: 'bulk' }, { 'X-Autoreply': 'yes' }])
      expect(await code({ from: client.email, to, headers })).toBe(250)
    expect(await code({ from: `x@${HOST}`, to })).toBe(250)
    expect(await code({ from: client.email, to, envelope: { from: '', to } })).toBe(250)
    expect(await messages(id)).toHaveLength(1)
    expect(await code({ from: client.email, to, headers: { 'Auto-Submitted': 'no' } })).toBe(250)
    expect(await messages(id)).toHaveLength(2)
  })

  test('a mail that names two senders, or whose domain disowns it, waits for the desk', async () => {
    const { client } = scene
    const { id } = await ticket()
    const to = addressOf(id)
    const raw = (headers: string[]) => ['To: x', ...headers, 'Subject: Re', '', 'Payez ici.'].join('\r\n')
    const forged = [
      ['From: pirate@exemple.net', `From: ${client.email}`],
      [`From: ${client.email}`, 'From: pirate@exemple.net'],
      [`From: ${client.email}, pirate@exemple.net`],
      ['Authentication-Results: mx.exemple.fr; dmarc=fail header.from=exemple.fr', `From: ${client.email}`],
    ]
    for (const headers of forged)
      expect(await code({ raw: raw(headers), envelope: { from: 'pirate@exemple.net', to } })).toBe(250)
    expect((await calls.read(client, id)).body.messages).toHaveLength(1)
    const held = (await messages(id)).slice(1)
    expect(held).toHaveLength(4)
    for (const message of held) expect(message.heldFrom).not.toBeNull()
  })

  test('a ticket takes so many in an hour, and a message so many bytes', async () => {
    const { client } = scene
    const { id } = await ticket()
    for (let count = 0; count < 22; count++)
      await send({ from: client.email, to: addressOf(id), text: `Message ${count}` })
    expect(await messages(id)).toHaveLength(21)
    const big = { filename: 'gros.bin', content: Buffer.alloc(20_000_000) }
    expect(await code({ from: client.email, to: addressOf(id), attachments: [big] })).toBe(552)
  })
})

describe('a mail that cannot be read', () => {
  const nested = () => {
    const parts = Array.from(
      { length: 40 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
    )
    return `From: ${scene.client.email}\r\nSubject: x\r\n${parts.join('')}\r\nfin`
  }

  test('is refused for good, once, and kept with its ticket for the desk alone', async () => {
    const { admin, client } = scene
    const { id } = await ticket()
    const raw = nested()
    const mail = { raw, envelope: { from: client.email, to: addressOf(id) } }
    for (const _ of [1, 2]) expect(await code(mail)).toBe(554)
    expect((await calls.read(client, id)).body.messages).toHaveLength(1)
    const [, kept, ...others] = await messages(id)
    expect(others).toEqual([])
    expect(kept).toMatchObject({ heldFrom: client.email, body: expect.stringContaining('n’a pas pu être lu') })
    const file = await call(server, supportDesk.file, { params: { id: kept.files[0].id } }, admin)
    expect(file.text.trim()).toBe(raw.trim())
  })

  test('of a program that waits for no answer is refused and not kept', async () => {
    const { id } = await ticket()
    expect(await code({ raw: nested(), envelope: { from: '', to: addressOf(id) } })).toBe(554)
    expect(await messages(id)).toHaveLength(1)
  })

  test('for now, while the server has no room to read it, is asked for again', async () => {
    const { id } = await ticket()
    const { compute } = server.deps
    const busy = new AppError('compute-busy')
    server.deps.compute = () => Promise.reject(busy)
    try {
      expect(await code({ from: scene.client.email, to: addressOf(id) })).toBe(451)
    } finally {
      server.deps.compute = compute
    }
    expect(await messages(id)).toHaveLength(1)
  })
})

describe('where the mail server in front says who wrote', () => {
  const AUTHSERV = 'mx.organisation.fr'
  beforeAll(() => void Object.assign(server.deps.config, { SUPPORT_MAIL_AUTHSERV_ID: AUTHSERV }))
  afterAll(() => void Object.assign(server.deps.config, { SUPPORT_MAIL_AUTHSERV_ID: undefined }))

  test('the asker’s own address counts only with that word', async () => {
    const { client } = scene
    const { id } = await ticket()
    const domain = client.email.split('@')[1]
    const bring = (statement?: string) =>
      send({
        from: client.email,
        to: addressOf(id),
        ...(statement && { headers: { 'Authentication-Results': statement } }),
      })
    for (const statement of [
      undefined,
      `mx.pirate.net; dmarc=pass header.from=${domain}`,
      `${AUTHSERV}; dmarc=fail header.from=${domain}`,
      `${AUTHSERV}; dkim=pass header.d=pirate.net; spf=pass smtp.mailfrom=x@pirate.net`,
    ])
      await bring(statement)
    expect((await calls.read(client, id)).body.messages).toHaveLength(1)
    expect((await messages(id)).slice(1).map(({ heldFrom }: { heldFrom: string }) => heldFrom)).toEqual(
      Array.from({ length: 4 }, () => client.email),
    )
    await bring(`${AUTHSERV}; dkim=pass header.d=${domain}`)
    expect((await calls.read(client, id)).body.messages.at(-1)).toMatchObject({ source: 'mail', side: 'asker' })
  })
})
