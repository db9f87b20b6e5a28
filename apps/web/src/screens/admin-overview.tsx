import { useQuery } from '@tanstack/react-query'
import { backups } from '@voisol/contract/backups'
import { health } from '@voisol/contract/health'
import { Can } from '../lib/can.tsx'
import { useDoor } from '../lib/doors.ts'
import { relative } from '../lib/format.ts'
import { query } from '../lib/queries.ts'
import { Card, cardClass } from '../ui/card.tsx'
import { cx } from '../ui/cx.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** What administration is made of; a place without a screen, or closed to its reader, is not shown. */
const PLACES = [
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

const PAPERS = [
  {
    label: 'Accord de sous-traitance des données personnelles (PDF)',
    href: '/api/legal-documents/accord-de-sous-traitance',
  },
  { label: 'Sous-traitants ultérieurs (PDF)', href: '/api/legal-documents/sous-traitants' },
]

type Hand = { key: string; text: string; to: string }
const Hands = ({ hands }: { hands: Hand[] }) =>
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

const NIGHT_MS = 30 * 3_600_000
const isOld = (at: string | undefined) => !at || Date.now() - Date.parse(at) > NIGHT_MS

/** Of the installation: alerts that are open, and copies that are missing or no longer read. */
function InstallationHands() {
  const state = useQuery(query(health.get, {}))
  const copies = useQuery(query(backups.installation, {}))
  // What could not be read is not what needs no hand.
  const failed = [state, copies].find(({ error }) => error)
  if (failed?.error)
    return (
      <Card title="À faire" className="mb-6">
        <ErrorState
          error={failed.error}
          title="Ce qui demande votre attention n’a pas pu être lu"
          onRetry={() => Promise.all([state.refetch(), copies.refetch()])}
        />
      </Card>
    )
  if (!state.data || !copies.data) return <Skeleton className="mb-6 h-28 w-full" />
  const open = state.data.alerts.filter(({ closedAt }) => closedAt === null)
  const { trouble, copies: kept } = copies.data
  const hands: Hand[] = open.map(({ id, detail, advice }) => ({
    key: id,
    text: `${detail} ${advice}`,
    to: '/admin/system-health',
  }))
  if (trouble) hands.push({ key: 'trouble', text: trouble, to: '/admin/backups' })
  else if (isOld(kept[0]?.madeAt))
    hands.push({
      key: 'copy',
      text: kept[0]
        ? `La dernière copie de l’installation a été faite ${relative(kept[0].madeAt)}.`
        : 'L’installation n’a encore aucune copie.',
      to: '/admin/backups',
    })
  const unread = kept.find(({ proved }) => proved?.ok === false)
  if (unread)
    hands.push({
      key: unread.name,
      text: `La copie ${unread.name} n’a pas passé sa vérification.`,
      to: '/admin/backups',
    })
  return (
    <Card title="À faire" className="mb-6">
      <Hands hands={hands} />
    </Card>
  )
}

/** All of administration, with what needs a hand. */
export default function AdminOverview() {
  const { shows } = useDoor()
  return (
    <>
      <PageHeader
        title="Administration"
        description="Les accès, les échanges, les copies et la santé, en un coup d’œil."
      />
      <Can call={health.get}>
        <InstallationHands />
      </Can>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {PLACES.filter(({ path }) => shows(path)).map(({ path, title, what }) => (
          <li key={path} className={cx(cardClass, 'p-5')}>
            <Link to={path} className="text-link font-semibold">
              {title}
            </Link>
            <p className="mt-1 text-body text-ink-soft">{what}</p>
          </li>
        ))}
      </ul>
      <Card title="Documents" description="Ce qui lie l’exploitant à votre organisation." className="mt-6">
        <ul className="grid gap-2 text-body">
          {PAPERS.map(({ label, href }) => (
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
