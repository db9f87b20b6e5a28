import { createTransport } from 'nodemailer'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  getErrorMessage,
} from './finding.ts'

const CHECK = 'mail'
const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000, dnsTimeout: 5000 }
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Connects, encrypts if possible and authenticates; nothing is sent. */
async function verifyMailServer(url: string, more: { requireTLS?: boolean } = {}): Promise<unknown> {
  const transport = createTransport({ url, ...TIMEOUTS, ...more })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return error
  } finally {
    transport.close()
  }
}

const REMEDIES: Record<string, string> = {
  EAUTH: 'Le compte ou le mot de passe de SMTP_URL est refusé\u00a0: redemandez-les à votre hébergeur de messagerie.',
  ETLS: 'Le certificat du serveur d’e-mail est refusé\u00a0: vérifiez son nom et sa date.',
  ESOCKET: 'Vérifiez l’hôte, le port (465 avec smtps, 587 avec smtp) et que le pare-feu laisse sortir vers lui.',
}
const getRemedy = (error: unknown) =>
  (error instanceof Error && 'code' in error && REMEDIES[String(error.code)]) || String(REMEDIES.ESOCKET)

export async function checkMail(url: string | undefined): Promise<DoctorFinding[]> {
  if (!url)
    return [createOkFinding(CHECK, 'E-mail\u00a0: sans SMTP_URL, les messages restent dans le dossier de données')]
  const refused = await verifyMailServer(url)
  if (refused)
    return [
      createFaultFinding(
        CHECK,
        `Serveur d’e-mail injoignable ou fermé\u00a0: ${getErrorMessage(refused)}`,
        getRemedy(refused),
      ),
    ]
  const { protocol, hostname } = new URL(url)
  const isOpen = protocol === 'smtp:' && !LOOPBACK.test(hostname) && (await verifyMailServer(url, { requireTLS: true }))
  if (isOpen)
    return [
      createWarningFinding(
        CHECK,
        'Le serveur d’e-mail ne sait pas chiffrer (STARTTLS)\u00a0: mots de passe et messages passent en clair',
        'Prenez smtps:// et le port 465, ou demandez STARTTLS à votre hébergeur.',
      ),
    ]
  return [createOkFinding(CHECK, 'Serveur d’e-mail joignable, compte accepté')]
}
