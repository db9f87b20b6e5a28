import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartupError } from '../../startup.ts'
import { createMailCatcher, getCatcherFolder, loadDevDependency, type MailCatcher } from './catcher.ts'
import { isPermanentMailRefusal, openMailer } from './mail.ts'

const folder = mkdtempSync(join(tmpdir(), 'voisol-mail-'))
const FROM = 'Voisol <ne-pas-repondre@voisol.fr>'
let catcher: MailCatcher
beforeAll(async () => {
  catcher = await createMailCatcher(folder)
})
afterAll(async () => {
  await catcher.close()
  rmSync(folder, { recursive: true })
})

const MAIL = {
  to: 'Zoé Lefèvre <zoe@exemple.fr>',
  subject: 'Votre énergie partagée : l’été « 42 % » à 12,50 €',
  text: 'Bonjour Zoé,\n\nÀ bientôt.',
  html: '<p>Bonjour <b>Zoé</b>, à bientôt.</p>',
}
const send = async (mail: object) => {
  const mailer = openMailer(catcher.url, FROM)
  await mailer.send({ ...MAIL, ...mail }).finally(() => mailer.close())
}

test('subject, both parts and attachment arrive as they were written', async () => {
  await send({ attachments: [{ filename: 'Relevé d’août.csv', content: 'é;1', contentType: 'text/csv' }] })
  const [mail] = await catcher.messages()
  expect(mail).toMatchObject({ subject: MAIL.subject, from: { name: 'Voisol', address: 'ne-pas-repondre@voisol.fr' } })
  expect(mail?.to).toMatchObject([{ name: 'Zoé Lefèvre', address: 'zoe@exemple.fr' }])
  expect(mail?.text?.trim()).toBe(MAIL.text)
  expect(mail?.html?.trim()).toBe(MAIL.html)
  const [attachment] = mail?.attachments ?? []
  expect(attachment).toMatchObject({ filename: 'Relevé d’août.csv', mimeType: 'text/csv' })
  expect(Buffer.from(attachment?.content as ArrayBuffer).toString()).toBe('é;1') // binary unless asked otherwise
})

test('the same message sent twice has the same Message-ID', async () => {
  await send({ id: 'abc' })
  await send({ id: 'abc' })
  const ids = (await catcher.messages()).slice(0, 2).map((mail) => mail.messageId)
  expect(ids).toEqual(['<abc@voisol.fr>', '<abc@voisol.fr>'])
})

test('a line break in a subject or an address cannot add a header', async () => {
  await send({ subject: 'Bonjour\r\nBcc: autre@exemple.fr' })
  const [mail] = await catcher.messages()
  expect(mail?.bcc ?? []).toEqual([])
  expect(mail?.headers.some(({ key }) => key === 'bcc')).toBe(false)
})

test('a bad address is a permanent refusal, an unreachable server is not', async () => {
  const bad = await send({ to: 'personne' }).catch((error: unknown) => error)
  expect(isPermanentMailRefusal(bad)).toBe(true)
  const away = openMailer('smtp://127.0.0.1:1', FROM)
  const failure = await away.send(MAIL).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(isPermanentMailRefusal(failure)).toBe(false)
})

test('the catcher is found by its address, while it is open', async () => {
  const other = await createMailCatcher(folder)
  expect(getCatcherFolder(other.url)).toBe(folder)
  await other.close()
  expect(getCatcherFolder(other.url)).toBeUndefined()
  expect(getCatcherFolder(undefined)).toBeUndefined()
})

test('without the dev packages that catch mail, the error says what to do', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const refusal = loadDevDependency(() => Promise.reject(missing))
  await expect(refusal).rejects.toBeInstanceOf(StartupError)
  await expect(refusal).rejects.toThrow(/npm ci.*SMTP_URL/)
  await expect(loadDevDependency(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
