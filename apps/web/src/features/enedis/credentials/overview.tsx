import type { EndpointReply } from '@voisol/contract/endpoint'
import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { sync } from '@voisol/contract/sync'
import BookOpen from 'lucide-react/icons/book-open'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import FlaskConical from 'lucide-react/icons/flask-conical'
import KeyRound from 'lucide-react/icons/key-round'
import PlugZap from 'lucide-react/icons/plug-zap'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { Can, useCan, withAccess } from '../../../lib/can.tsx'
import { BACKEND_LABELS, ENVIRONMENT_LABELS } from '../../../lib/distributor-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatDateTime, formatNumber, formatRelativeTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { useEnedisOverview } from './connection-choice.tsx'
import { describeCircuit, getScopeLabel, getTestTitle, isConnectionWorking } from './connections/connection-state.ts'
import { AddCredentialDialog, ReplaceCredentialDialog } from './connections/credential-form.tsx'
import { SyncSettings } from './settings/sync-settings.tsx'

const OverviewSkeleton = () => (
  <>
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {['points', 'consents', 'errors', 'tasks'].map((name) => (
        <Skeleton key={name} className="h-32 w-full" />
      ))}
    </div>
    <Skeleton className="h-80 w-full" />
  </>
)

/** How the company stands with the distributor: what works, what is used up, what waits for somebody. */
export default function EnedisOverview() {
  const { data, error, refetch } = useEnedisOverview()
  const credentials = data?.credentials ?? []
  return (
    <>
      <PageHeader
        title="API Enedis"
        description="Vos connexions au distributeur et ce qu’elles rapportent."
        actions={
          <>
            <ButtonLink variant="secondary" to="/enedis-api/docs" icon={<BookOpen aria-hidden="true" />}>
              Documentation
            </ButtonLink>
            <ButtonLink variant="secondary" to="/enedis-test" icon={<FlaskConical aria-hidden="true" />}>
              Tester un appel
            </ButtonLink>
            <AddCredentialDialog
              credentials={credentials}
              trigger={
                <Button icon={<Plus aria-hidden="true" />} disabled={!data}>
                  Ajouter des identifiants
                </Button>
              }
            />
          </>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        {error && !data && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <OverviewSkeleton />}
        {data && (
          <>
            <OverviewTiles overview={data} />
            <section className="grid gap-4 [&>*]:min-w-0">
              <h2 className="text-lg font-semibold">Connexions</h2>
              {credentials.length === 0 ? (
                <NoConnection sandbox={data.sandboxUrl !== null} />
              ) : (
                <div className={cx('grid gap-4', credentials.length > 1 && 'xl:grid-cols-2')}>
                  {credentials.map((credential) => (
                    <CredentialCard key={credential.id} credential={credential} />
                  ))}
                </div>
              )}
            </section>
            <SyncSettings />
          </>
        )}
      </div>
    </>
  )
}

const SANDBOX_TEXT =
  'Le bac à sable local fonctionne sans aucun identifiant\u00a0: un distributeur simulé, avec ses courbes, ses quotas et ses refus.'
const NO_CALLS_TEXT = 'Aucun appel ne part vers le distributeur tant qu’il n’y en a pas.'
const ADD_CREDENTIALS_TEXT =
  'Ajoutez les identifiants qu’Enedis vous a remis\u00a0: ils sont testés avant d’être enregistrés, puis les courbes arrivent chaque jour.'

/** The sandbox needs nobody's credentials: the way to see something arrive today. */
function NoConnection({ sandbox }: { sandbox: boolean }) {
  const can = useCan()
  const canAdd = can(enedis.save)
  return (
    <div className={cardClass}>
      <EmptyState
        title="Aucun identifiant pour l’instant"
        why={
          sandbox
            ? `${SANDBOX_TEXT}${canAdd ? ' Ajoutez les vôtres quand Enedis vous les aura remis.' : ''}`
            : canAdd
              ? ADD_CREDENTIALS_TEXT
              : NO_CALLS_TEXT
        }
        action={
          sandbox && can(sync.start) ? (
            <ButtonLink to="/enedis-api/sync-tasks?nouvelle=1" icon={<FlaskConical aria-hidden="true" />}>
              Essayer avec le bac à sable
            </ButtonLink>
          ) : (
            <ButtonLink variant="secondary" to="/enedis-api/docs">
              Savoir comment les obtenir
            </ButtonLink>
          )
        }
      />
    </div>
  )
}

type EnedisOverviewData = EndpointReply<typeof enedis.overview>

const TextLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <Link to={path} className="inline-flex min-h-6 items-center text-link">
    {children}
  </Link>
)

function ConsentNote({ expiring, lost }: EnedisOverviewData['consents']) {
  if (expiring + lost === 0) return <>Aucun accord à renouveler, aucun perdu.</>
  return (
    <span className="flex flex-wrap gap-x-3">
      {expiring > 0 && <TextLink path="/participants?review=true">{formatNumber(expiring)} à renouveler</TextLink>}
      {lost > 0 && (
        <TextLink path="/enedis-error-logs?nature=consent">
          {formatCount(lost, 'accord perdu', 'accords perdus')}
        </TextLink>
      )}
    </span>
  )
}

/** The four figures one looks for first, each leading to the screen that settles it. */
const OverviewTiles = ({ overview }: { overview: EnedisOverviewData }) => {
  const { points, consents, openErrors, runningTasks, receivedUntil } = overview
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <KpiTile
        label="Données reçues jusqu’au"
        figure={receivedUntil ? formatDate(receivedUntil) : 'Rien encore'}
        note={<TextLink path="/enedis-data">{formatCount(points, 'point suivi', 'points suivis')}</TextLink>}
      />
      <KpiTile label="Accords actifs" figure={formatNumber(consents.active)} note={<ConsentNote {...consents} />} />
      <KpiTile
        label="Erreurs ouvertes"
        figure={formatNumber(openErrors)}
        note={
          openErrors > 0 ? (
            <TextLink path="/enedis-error-logs">Voir les causes et les remèdes</TextLink>
          ) : (
            'Rien n’attend votre décision.'
          )
        }
      />
      <KpiTile
        label="Tâches en cours"
        figure={formatNumber(runningTasks)}
        note={<TextLink path="/enedis-api/sync-tasks">Toutes les synchronisations</TextLink>}
      />
    </div>
  )
}

const CredentialHeading = ({ credential }: { credential: EnedisCredential }) => {
  const { label, tone } = ENVIRONMENT_LABELS[credential.environment]
  return (
    <header>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-base font-semibold tracking-[-0.01em]">{getScopeLabel(credential)}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
        {credential.operationId === null
          ? 'Pour chaque opération qui n’a pas ses propres identifiants'
          : 'Pour cette opération seulement'}
      </p>
    </header>
  )
}

const CredentialFacts = ({ credential }: { credential: EnedisCredential }) => {
  const { backend, hint, lastSyncAt, nextSyncAt } = credential
  const facts: [string, string][] = [
    ['Interface', BACKEND_LABELS[backend]],
    ['Identifiant', hint ? `…${hint}` : 'Enregistré'],
    ['Dernière synchronisation', lastSyncAt ? formatDateTime(lastSyncAt) : 'Aucune encore'],
    ['Prochaine', nextSyncAt ? formatDateTime(nextSyncAt) : 'Non prévue'],
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
          <dd className="tabular mt-0.5 text-body font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** One way to the distributor: whether it works, what it may still use, and when it last brought something. */
function CredentialCard({ credential }: { credential: EnedisCredential }) {
  const circuit = describeCircuit(credential)
  const { second, hour } = credential.quotas
  return (
    <article className={cx(cardClass, '@container flex min-w-0 flex-col gap-5 p-5 sm:p-6')}>
      <CredentialHeading credential={credential} />
      <div className="grid gap-x-12 gap-y-5 @4xl:grid-cols-2">
        <div className="grid content-start gap-5">
          <TestLine credential={credential} />
          <CredentialFacts credential={credential} />
        </div>
        <div className="grid content-start gap-4 border-t border-line pt-5 @4xl:border-t-0 @4xl:pt-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
            <Badge tone={circuit.tone}>{circuit.label}</Badge>
            <span className="text-ink-soft">{circuit.meaning}</span>
          </p>
          <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            <QuotaGauge label="Appels dans la seconde" {...second} pace />
            <QuotaGauge label="Appels dans l’heure" {...hour} />
          </div>
        </div>
      </div>
      <Can call={enedis.test}>
        <footer data-print="hide" className="mt-auto flex flex-wrap gap-2">
          <CredentialActions credential={credential} />
        </footer>
      </Can>
    </article>
  )
}

/** When the connection was last tried, and what came of it. */
function TestLine({ credential }: { credential: EnedisCredential }) {
  const { testedAt, testOk, testMessage } = credential
  if (testedAt === null)
    return (
      <p className="flex items-start gap-2 text-body text-ink-soft">
        <CircleDashed aria-hidden="true" className="mt-0.5 size-4" />
        Jamais testée
      </p>
    )
  const Icon = isConnectionWorking(credential) ? CircleCheck : CircleAlert
  const tone = isConnectionWorking(credential) ? 'text-success' : testOk ? 'text-warning' : 'text-danger'
  return (
    <p className="flex items-start gap-2 text-body">
      <Icon aria-hidden="true" className={`mt-0.5 size-4 ${tone}`} />
      <span>
        <span className={`font-medium ${tone}`}>{getTestTitle(credential)}</span>
        {!testOk && testMessage && <span className="block">{testMessage}</span>}
        <span className="block text-[0.8125rem] text-ink-soft" title={formatDateTime(testedAt)}>
          Testée {formatRelativeTime(testedAt)}
        </span>
      </span>
    </p>
  )
}

const WARNING_SHARE = 0.8

type QuotaGaugeProps = {
  label: string
  used: number
  limit: number
  /** Using all of it is the usual pace, not a shortage. */
  pace?: boolean
}

/** How much of a quota is used, in figures and as a bar; nearly all of it is worth a colour. */
function QuotaGauge({ label, used, limit, pace = false }: QuotaGaugeProps) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-[0.8125rem]">
        <span className="text-ink-soft">{label}</span>
        <span className="tabular whitespace-nowrap">
          {formatNumber(used)} sur {formatNumber(limit)}
        </span>
      </div>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-slate-200">
        <div
          className={cx(
            'h-full rounded-full transition-[width] duration-200',
            pace || share < WARNING_SHARE ? 'bg-primary' : share < 1 ? 'bg-local' : 'bg-danger',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}

function TestButton({ credential }: { credential: EnedisCredential }) {
  const test = useAction(enedis.test, [enedis.overview])
  const run = () =>
    test.run({ params: { id: credential.id } }).then(
      ({ testMessage, ...tested }) =>
        toast({
          title: getTestTitle(tested),
          ...(testMessage && !isConnectionWorking(tested) && { description: testMessage }),
          variant: isConnectionWorking(tested) ? 'success' : 'destructive',
        }),
      (error: unknown) => toast({ title: 'Test impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="secondary"
      size="small"
      icon={<PlugZap aria-hidden="true" />}
      loading={test.isPending}
      onClick={() => void run()}
    >
      {credential.testedAt === null ? 'Tester la connexion' : 'Tester à nouveau'}
    </Button>
  )
}

const CredentialActions = withAccess(enedis.test, ({ credential }: { credential: EnedisCredential }) => {
  const remove = useAction(enedis.remove, [enedis.overview])
  return (
    <>
      <TestButton credential={credential} />
      <ReplaceCredentialDialog
        credential={credential}
        trigger={
          <Button variant="secondary" size="small" icon={<KeyRound aria-hidden="true" />}>
            Remplacer
          </Button>
        }
      />
      <Confirm
        title="Retirer ces identifiants&nbsp;?"
        description={`Plus aucun appel ne partira pour «\u00a0${getScopeLabel(credential)}\u00a0» avec ces identifiants, et ils ne pourront pas être retrouvés. Les données déjà reçues restent.`}
        action="Retirer les identifiants"
        onConfirm={async () => {
          await remove.run({ params: { id: credential.id } })
          toast({ title: 'Identifiants retirés', variant: 'success' })
        }}
        trigger={
          <Button variant="quiet" size="small" icon={<Trash aria-hidden="true" />}>
            Retirer
          </Button>
        }
      />
    </>
  )
})
