import { useQuery } from '@tanstack/react-query'
import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import { backups } from '@voisol/contract/backups'
import { type Connection, connections } from '@voisol/contract/connections'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { flows } from '@voisol/contract/flows'
import { health } from '@voisol/contract/health'
import { type Webhook, webhooks } from '@voisol/contract/webhooks'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Link } from '../../components/link.tsx'
import { Skeleton } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useCan } from '../../lib/can.tsx'
import { formatCount, formatDate, formatRelativeTime } from '../../lib/format.ts'
import { useLinkAccess } from '../../lib/link-access.ts'
import { query } from '../../lib/queries.ts'

/** What administration is made of; a place without a screen, or closed to its reader, is not shown. */
const ADMIN_SECTIONS = [
  { path: '/admin/users', title: 'Utilisateurs et rôles', what: 'Qui a accès, avec quels droits, et depuis quand.' },
  { path: '/admin/sso', title: 'Connexion unique', what: 'Se connecter avec le compte de l’entreprise.' },
  { path: '/admin/api-keys', title: 'Clés d’API', what: 'Ce que d’autres programmes peuvent lire et écrire.' },
  { path: '/admin/api-gateway', title: 'Passerelle API', what: 'Les appels, leurs limites et leurs refus.' },
  { path: '/admin/webhooks', title: 'Webhooks', what: 'Ce qui est annoncé à d’autres systèmes.' },
  { path: '/admin/esb', title: 'Flux d’événements', what: 'Chaque fait, et qui l’entend.' },
  { path: '/admin/enterprise-connections', title: 'Connexions', what: 'Dépôts, envois et échanges programmés.' },
  { path: '/admin/backups', title: 'Copies', what: 'Emporter ses données, copier l’installation, la restaurer.' },
  { path: '/admin/system-health', title: 'Santé', what: 'Base, file, machine, certificats, alertes.' },
  { path: '/admin/audit-logs', title: 'Journal d’audit', what: 'Qui a fait quoi, avant et après.' },
] as const

const LEGAL_DOCUMENTS = [
  {
    label: 'Accord de sous-traitance des données personnelles (PDF)',
    href: '/api/legal-documents/accord-de-sous-traitance',
  },
  { label: 'Sous-traitants ultérieurs (PDF)', href: '/api/legal-documents/sous-traitants' },
]

/** Cards two by two; on a telephone one list, which is read without scrolling far. */
const listClass =
  'max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-card max-sm:shadow-card max-sm:divide-y max-sm:divide-line sm:grid sm:grid-cols-2 sm:gap-4'
const sectionClass =
  'max-sm:px-5 max-sm:py-3.5 sm:rounded-card sm:border sm:border-line sm:bg-card sm:p-5 sm:shadow-card'

/** All of administration, with what needs a hand. */
export default function AdminOverview() {
  const { shows } = useLinkAccess()
  return (
    <>
      <PageHeader
        title="Administration"
        description="Les accès, les échanges, les copies et la santé, en un coup d’œil."
      />
      <AdminTodo />
      <ul className={listClass}>
        {ADMIN_SECTIONS.filter(({ path }) => shows(path)).map(({ path, title, what }) => (
          <li key={path} className={sectionClass}>
            <Link to={path} className="text-link font-semibold">
              {title}
            </Link>
            <p className="mt-1 text-body text-ink-soft">{what}</p>
          </li>
        ))}
      </ul>
      <Card title="Documents" description="Ce qui lie l’exploitant à votre organisation." className="mt-6">
        <ul className="grid gap-2 text-body">
          {LEGAL_DOCUMENTS.map(({ label, href }) => (
            <li key={href}>
              <a href={href} className="text-link">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

const TodoList = ({ hands }: { hands: TodoItem[] }) =>
  hands.length === 0 ? (
    <p className="text-body text-ink-soft">Rien ne demande votre attention.</p>
  ) : (
    <ul className="grid divide-y divide-line">
      {hands.map(({ key, text, to }) => (
        <li key={key} className="flex items-start justify-between gap-4 py-2.5 text-body">
          <span className="min-w-0">{text}</span>
          <Link to={to} className="shrink-0 text-link">
            Y aller
          </Link>
        </li>
      ))}
    </ul>
  )

const FIRST_PAGE = { query: { size: 100 } }

/** Each by the right of its own: what its reader may not see is not asked for. */
function useAdminTodos() {
  const can = useCan()
  const state = useQuery({ ...query(health.get, {}), enabled: can(health.get) })
  const copies = useQuery({ ...query(backups.installation, {}), enabled: can(backups.installation) })
  const keys = useQuery({ ...query(apiKeys.list, FIRST_PAGE), enabled: can(apiKeys.list) })
  const hooks = useQuery({ ...query(webhooks.list, FIRST_PAGE), enabled: can(webhooks.list) })
  const lines = useQuery({ ...query(connections.list, FIRST_PAGE), enabled: can(connections.list) })
  const dead = useQuery({ ...query(flows.dead, { query: { size: 1 } }), enabled: can(flows.dead) })
  const todos = [
    ...(state.data ? buildAlertTodos(state.data) : []),
    ...(copies.data ? buildCopyTodos(copies.data) : []),
    ...buildKeyTodos(keys.data?.items ?? []),
    ...buildWebhookTodos(hooks.data?.items ?? []),
    ...buildConnectionTodos(lines.data?.items ?? []),
    ...buildDeadLetterTodos(dead.data?.total ?? 0),
  ]
  return { hands: todos, asked: [state, copies, keys, hooks, lines, dead] }
}

/** What needs a hand: of the installation for whoever keeps it, of the company for its administrators. */
function AdminTodo() {
  const { hands, asked } = useAdminTodos()
  // What could not be read is not what needs no hand.
  const failed = asked.filter(({ error }) => error)
  const retry = () => Promise.all(failed.map(({ refetch }) => refetch()))
  if (!failed.length && asked.some(({ isLoading }) => isLoading)) return <Skeleton className="mb-6 h-28 w-full" />
  return (
    <Card title="À faire" className="mb-6">
      {failed[0]?.error && (
        <ErrorState
          error={failed[0].error}
          title="Ce qui demande une main n’a pas pu être lu en entier"
          onRetry={retry}
        />
      )}
      {(hands.length > 0 || !failed.length) && <TodoList hands={hands} />}
    </Card>
  )
}

/** Something of administration that waits for somebody, and where it is done. */
type TodoItem = { key: string; text: string; to: string }

const MAX_COPY_AGE_MS = 30 * 3_600_000
const isCopyOutdated = (at: string | undefined) => !at || Date.now() - Date.parse(at) > MAX_COPY_AGE_MS

const buildAlertTodos = ({ alerts }: EndpointReply<typeof health.get>): TodoItem[] =>
  alerts
    .filter(({ closedAt }) => closedAt === null)
    .map(({ id, detail, advice }) => ({ key: id, text: `${detail} ${advice}`, to: '/admin/system-health' }))

/** Copies that are missing or no longer read. */
function buildCopyTodos({ trouble, copies: kept }: EndpointReply<typeof backups.installation>): TodoItem[] {
  const to = '/admin/backups'
  const [last] = kept
  const failedCopy = kept.find(({ proved }) => proved?.ok === false)
  return [
    ...(trouble ? [{ key: 'trouble', text: trouble, to }] : []),
    ...(!trouble && isCopyOutdated(last?.madeAt)
      ? [
          {
            key: 'copy',
            text: last
              ? `La dernière copie de l’installation a été faite ${formatRelativeTime(last.madeAt)}.`
              : 'L’installation n’a encore aucune copie.',
            to,
          },
        ]
      : []),
    ...(failedCopy
      ? [{ key: failedCopy.name, text: `La copie ${failedCopy.name} n’a pas passé sa vérification.`, to }]
      : []),
  ]
}

const KEY_EXPIRY_WARNING_DAYS = 14
const daysUntil = (day: string) => Math.ceil((Date.parse(day) - Date.now()) / 86_400_000)

const buildKeyTodos = (keys: ApiKey[]): TodoItem[] =>
  keys.flatMap(({ id, name, status, expiresOn }) =>
    status === 'active' && expiresOn !== null && daysUntil(expiresOn) <= KEY_EXPIRY_WARNING_DAYS
      ? [
          {
            key: id,
            text: `La clé d’API «\u00a0${name}\u00a0» finit le ${formatDate(expiresOn)}.`,
            to: '/admin/api-keys',
          },
        ]
      : [],
  )

const buildWebhookTodos = (webhooks: Webhook[]): TodoItem[] =>
  webhooks.flatMap(({ id, url, status, failingSince }) => {
    const host = URL.canParse(url) ? new URL(url).host : url
    const text =
      status === 'disabled'
        ? `Le webhook vers ${host} est arrêté\u00a0: il n’envoie plus rien.`
        : failingSince &&
          `Le webhook vers ${host} échoue depuis ${formatRelativeTime(failingSince).replace(/^il y a /, '')}.`
    return text ? [{ key: id, text, to: '/admin/webhooks' }] : []
  })

const buildConnectionTodos = (connections: Connection[]): TodoItem[] =>
  connections.flatMap(({ id, name, state, trouble }) =>
    state === 'stopped' || trouble
      ? [
          {
            key: id,
            text: `La connexion «\u00a0${name}\u00a0» ${state === 'stopped' ? 'est arrêtée' : 'est gênée'}${trouble ? `\u00a0: ${trouble}` : '.'}`,
            to: '/admin/enterprise-connections',
          },
        ]
      : [],
  )

const buildDeadLetterTodos = (total: number): TodoItem[] =>
  total === 0
    ? []
    : [
        {
          key: 'dead',
          text: `${formatCount(total, 'envoi n’est pas parti', 'envois ne sont pas partis')}\u00a0: à rejouer ou à écarter.`,
          to: '/admin/esb?onglet=echecs',
        },
      ]
