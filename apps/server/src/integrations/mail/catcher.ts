import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Email } from 'postal-mime'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../private-files.ts'
import { StartupError } from '../../startup.ts'

export type MailCatcher = Awaited<ReturnType<typeof createMailCatcher>>

/** The open catchers of this process: address, folder. */
const openCatchers = new Map<string, string>()
/** The folder of the catcher behind this address, if it is one of ours. */
export const getCatcherFolder = (url: string | undefined) => openCatchers.get(url ?? '')
/** Parsed messages of a folder: a caught message never changes, and tests that wait look often. */
const parsedMessages = new Map<string, Map<string, Email>>()

/** Complete or absent: written to a temporary file, then renamed. */
async function writeMessage(file: string, content: Buffer) {
  await writeFile(`${file}.part`, content, PRIVATE_FILE)
  await rename(`${file}.part`, file)
}

/** A local SMTP server that keeps every message in a folder instead of sending it on. */
export async function createMailCatcher(folder: string) {
  const [{ SMTPServer }] = await Promise.all([loadSmtpServer(), loadMailParser()])
  await mkdir(folder, PRIVATE_FOLDER)
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${String(++count).padStart(4, '0')}.eml`
        writeMessage(join(folder, name), Buffer.concat(chunks)).then(() => done(), done)
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  server.on('error', () => {})
  const { port } = server.server.address() as AddressInfo // listening on TCP
  const url = `smtp://127.0.0.1:${port}`
  openCatchers.set(url, folder)
  const close = async () => {
    openCatchers.delete(url)
    parsedMessages.delete(folder)
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, messages: () => loadCaughtMessages(folder), close }
}

/** One caught message, if it exists. */
export async function loadCaughtMessage(folder: string, file: string): Promise<Email | undefined> {
  const { default: PostalMime } = await loadMailParser()
  const raw = await readFile(join(folder, file)).catch(() => undefined)
  return raw && PostalMime.parse(raw)
}

/** Newest first. */
export async function loadCaughtMessages(folder: string): Promise<(Email & { file: string })[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const newest = files.reverse().slice(0, 200)
  const before = parsedMessages.get(folder)
  const read = async (file: string) => before?.get(file) ?? (await loadCaughtMessage(folder, file))
  const found = await Promise.all(newest.map(async (file) => ({ file, mail: await read(file) })))
  const mails = found.flatMap(({ file, mail }) => (mail ? [{ ...mail, file }] : []))
  parsedMessages.set(folder, new Map(mails.map((mail) => [mail.file, mail])))
  return mails
}

/** Mail is caught only in development: the packages for it are dev dependencies, loaded on demand. */
export async function loadDevDependency<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new StartupError(
      'Sans SMTP_URL, les messages sont capturés par smtp-server et postal-mime, qui ne sont pas installés\u00a0: ' +
        'installez les dépendances de développement (npm ci), ou donnez SMTP_URL.',
      { cause: error },
    )
  }
}

const loadSmtpServer = () => loadDevDependency(() => import('smtp-server'))
const loadMailParser = () => loadDevDependency(() => import('postal-mime'))
