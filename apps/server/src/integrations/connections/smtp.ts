import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { buildMailHeaders, type Mail } from '../mail/mail.ts'
import type { OutboundClient } from '../post/outbound-client.ts'
import {
  ConnectionFault,
  type Connector,
  type ConnectorTools,
  defineConnectorField,
  type ConnectorSettings as Entered,
  toConnectionFault,
} from './connector.ts'

const PORTS = [465, 587, 2525]
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

const SmtpSettings = z.object({
  host: z.string().trim().min(1, 'Un nom de serveur est attendu, par exemple smtp.exemple.fr.').max(253),
  port: z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, 'Un numéro de port est attendu, par exemple 465.')
    .default('465'),
  encryption: z.enum(['tls', 'starttls'], 'Choisissez le chiffrement.').default('tls'),
  user: z.string().trim().max(200).default(''),
  password: z.string().max(1000).default(''),
  sender: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email('Une adresse e-mail est attendue, par exemple contact@exemple.fr.')),
  senderName: z
    .string()
    .trim()
    .max(100)
    .regex(/^[^\p{Cc}"<>]*$/u, 'Un nom sans guillemet ni chevron est attendu.')
    .default(''),
  selector: z
    .string()
    .trim()
    .regex(/^[\w.-]*$/, 'Un sélecteur DKIM est attendu, par exemple s1.')
    .max(60)
    .default(''),
})

const FAULTS_BY_SMTP_CODE: Record<string, [message: string, hopeless: boolean]> = {
  EAUTH: ['Le serveur d’envoi refuse cet utilisateur\u00a0: vérifiez le nom et le mot de passe.', true],
  EENVELOPE: [
    'Le serveur d’envoi refuse cette adresse d’expéditeur ou de destinataire\u00a0: vérifiez qu’elle lui appartient.',
    false,
  ],
  ETLS: [
    'Le serveur d’envoi n’a pas établi de connexion chiffrée\u00a0: choisissez l’autre chiffrement, ou son port.',
    true,
  ],
}
function toSmtpFault(error: unknown): ConnectionFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FAULTS_BY_SMTP_CODE[code]
  return known ? new ConnectionFault(known[0], { hopeless: known[1], cause: error }) : toConnectionFault(error)
}

/** Sends one message through the company's own server, from its own address. */
export async function sendMailThrough(
  outside: OutboundClient,
  settings: Entered,
  { id, unsubscribe, ...mail }: Mail,
): Promise<void> {
  const { host = '', port = '465', encryption, user = '', password = '', sender = '', senderName = '' } = settings
  const secure = encryption === 'tls'
  const transport = createTransport({
    ...TIMEOUTS,
    host,
    port: Number(port),
    secure,
    // In tests only, this machine itself may be reached, unencrypted.
    ...(outside.inner ? { ignoreTLS: !secure } : { requireTLS: !secure }),
    ...(user && { auth: { user, pass: password } }),
    getSocket: (_, done) => {
      outside.dial(host, Number(port)).then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), false),
      )
    },
  })
  try {
    const from = senderName ? { name: senderName, address: sender } : sender
    await transport.sendMail({ from, ...mail, ...buildMailHeaders(sender, { id, unsubscribe }) })
  } catch (error) {
    throw toSmtpFault(error)
  } finally {
    transport.close()
  }
}

type DnsFact = { label: string; value: string; ok: boolean }
const toDnsFact = (label: string, ok: boolean, found: string, missing: string): DnsFact => ({
  label,
  ok,
  value: ok ? found : missing,
})

/** What the DNS of the sender's domain allows (SPF, DKIM, DMARC), and what to add. */
async function loadSenderDnsFacts(
  { outside }: Pick<ConnectorTools, 'outside'>,
  { sender = '', host = '', selector = '' }: Entered,
) {
  const domain = sender.split('@')[1] ?? ''
  const ask = (name: string) => outside.txt(name).catch(() => [])
  const [own, policy, key] = [
    await ask(domain),
    await ask(`_dmarc.${domain}`),
    selector ? await ask(`${selector}._domainkey.${domain}`) : [],
  ]
  const spf = own.find((text) => /^v=spf1\b/i.test(text))
  const dmarc = policy.find((text) => /^v=DMARC1\b/i.test(text))
  const facts = [
    toDnsFact(
      'SPF',
      spf !== undefined,
      spf ?? '',
      `Ajoutez au domaine ${domain} un enregistrement TXT «\u00a0v=spf1 a:${host} -all\u00a0», ou celui que donne votre hébergeur de messagerie.`,
    ),
    toDnsFact(
      'DMARC',
      dmarc !== undefined,
      dmarc ?? '',
      `Ajoutez à _dmarc.${domain} un enregistrement TXT «\u00a0v=DMARC1; p=quarantine; rua=mailto:${sender}\u00a0».`,
    ),
  ]
  const signed = key.some((text) => /\bp=[A-Za-z0-9+/=]+/.test(text))
  const missing = selector
    ? `Ajoutez à ${selector}._domainkey.${domain} la clé publique que donne votre hébergeur de messagerie.`
    : 'Donnez le sélecteur DKIM de votre hébergeur de messagerie pour que la signature soit vérifiée.'
  return [...facts, toDnsFact('DKIM', signed, `Clé publiée à ${selector}._domainkey.${domain}`, missing)]
}

export const smtpConnector: Connector = {
  kind: 'smtp',
  label: 'Expéditeur SMTP',
  about:
    'Envoie les messages de votre organisation depuis votre propre adresse. S’il tombe en panne, ceux de Voisol prennent le relais.',
  can: ['mail'],
  whereTo: ['host', 'port', 'user', 'encryption'],
  settings: SmtpSettings,
  fields: [
    defineConnectorField({ name: 'host', label: 'Serveur d’envoi', hint: 'Par exemple smtp.exemple.fr.' }),
    defineConnectorField({ name: 'port', label: 'Port', type: 'number', initial: '465' }),
    defineConnectorField({
      name: 'encryption',
      label: 'Chiffrement',
      type: 'choice',
      initial: 'tls',
      options: [
        { value: 'tls', label: 'TLS (465)' },
        { value: 'starttls', label: 'STARTTLS (587)' },
      ],
    }),
    defineConnectorField({ name: 'user', label: 'Utilisateur', optional: true }),
    defineConnectorField({ name: 'password', label: 'Mot de passe', type: 'secret', optional: true }),
    defineConnectorField({
      name: 'sender',
      label: 'Adresse d’expéditeur',
      hint: 'Celle que vos participants verront.',
    }),
    defineConnectorField({ name: 'senderName', label: 'Nom d’expéditeur', optional: true }),
    defineConnectorField({
      name: 'selector',
      label: 'Sélecteur DKIM',
      optional: true,
      hint: 'Pour vérifier la signature de vos messages.',
    }),
  ],
  refusals({ outside }, { host = '', port = '465' }) {
    const message = outside.refusalOfHost(host, Number(port), PORTS)
    return message ? [{ field: message.includes('port ') ? 'port' : 'host', message }] : []
  },
  async test(tools, { settings }, to) {
    const text =
      'Ce message prouve que votre organisation peut écrire depuis sa propre adresse. Vous n’avez rien à faire.'
    await sendMailThrough(tools.outside, settings, {
      to,
      subject: 'Essai de votre expéditeur',
      text,
      html: `<p>${text}</p>`,
    })
    return {
      message: `Un message d’essai est parti vers ${to}.`,
      hostKey: '',
      facts: await loadSenderDnsFacts(tools, settings),
    }
  },
}
