import { useQuery } from '@tanstack/react-query'
import {
  backups,
  type CopyRun,
  type InstallationCopy,
  InstallationKey,
  type TrustedInstallation,
} from '@voisol/contract/backups'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { Text } from '@voisol/contract/primitives'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import {
  Reauthentication,
  reauthenticationFields,
  useReauthenticationForm,
} from '../../../components/reauthentication.tsx'
import { type Column, type Detail, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { Can, withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { CompanyCopies } from './company-copies.tsx'
import {
  COPY_RUN_KIND_LABELS,
  COPY_RUN_STATE_BADGES,
  CopyFacts,
  formatCopyDuration,
  formatFileSize,
  notifyStarted,
  showFailure,
} from './copy-labels.tsx'

/** The copies of the company, and for whoever keeps the site those of the whole installation. */
export default function BackupsPage() {
  return (
    <>
      <PageHeader
        title="Copies"
        description="Tout ce qui est à votre organisation, à emporter dans des formats ouverts, ou à reprendre dans une organisation vide."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <Can call={backups.installation}>
          <InstallationCopies />
        </Can>
        <CompanyCopies />
        <Can call={backups.trusted}>
          <TrustedInstallations />
        </Can>
      </div>
    </>
  )
}

const POLL_MS = 2000
const VISIBLE_RUNS = 12
type Installation = EndpointReply<typeof backups.installation>

const useInstallation = () =>
  useQuery({
    ...query(backups.installation, {}),
    refetchInterval: ({ state }) => (state.data?.runs.some((run) => run.state === 'running') ? POLL_MS : false),
  })

const StartButton = withAccess(backups.start, () => {
  const start = useAction(backups.start, [backups.installation])
  return (
    <Button
      icon={<DatabaseBackup aria-hidden="true" />}
      loading={start.isPending}
      onClick={() => void start.run({}).then(notifyStarted('La copie commence'), showFailure)}
    >
      Copier maintenant
    </Button>
  )
})

function InstallationDetails({ data }: { data: Installation }) {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {data.trouble && (
        <p role="alert" className="rounded-card border border-danger bg-danger-soft p-4 text-body text-danger">
          {data.trouble}
        </p>
      )}
      <CopyFacts data={data} />
      {data.copies.length === 0 ? (
        <EmptyState
          title="Aucune copie"
          why="La première se fait cette nuit, ou maintenant si vous le demandez."
          because="comes-by-itself"
        />
      ) : (
        <Table
          label="Copies de l’installation"
          rows={data.copies.map((copy) => ({ ...copy, id: copy.name }))}
          columns={copyColumns}
          rowActions={(copy) => <CopyActions copy={copy} />}
        />
      )}
      {data.runs.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">Ce qui a été fait</h3>
          <Table
            label="Travaux sur les copies"
            rows={data.runs.slice(0, VISIBLE_RUNS)}
            columns={runColumns}
            detail={runDetail}
          />
        </section>
      )}
    </div>
  )
}

/** Of the whole installation, for whoever keeps it: each copy with what proves it. */
function InstallationCopies() {
  const { data, error, refetch } = useInstallation()
  return (
    <Card
      title="Copies de l’installation"
      description="La base et les fichiers de toutes les organisations, d’un seul instant, chiffrés avec une clé qui n’est pas dedans. Une restauration d’essai les prouve chaque semaine."
      actions={
        <>
          <ButtonLink variant="secondary" to="/admin/backup-scheduler">
            Horaire et durée de garde
          </ButtonLink>
          <StartButton />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <InstallationDetails data={data} />
      ) : (
        <TableSkeleton label="Copies de l’installation" />
      )}
    </Card>
  )
}

const runColumns: Column<CopyRun>[] = [
  {
    header: 'Travail',
    card: 'title',
    cell: ({ kind, startedAt, askedBy }) => (
      <span className="block min-w-44">
        <span className="block font-medium">{COPY_RUN_KIND_LABELS[kind]}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{`${formatDateTime(startedAt)}, ${askedBy}`}</span>
      </span>
    ),
  },
  {
    header: 'Résultat',
    card: 'primary',
    cell: ({ state }) => <Badge tone={COPY_RUN_STATE_BADGES[state].tone}>{COPY_RUN_STATE_BADGES[state].label}</Badge>,
  },
  { header: 'Durée', card: 'primary', cell: ({ seconds }) => (seconds === null ? '—' : formatCopyDuration(seconds)) },
]

/** What was looked at, and whether it held. */
const runDetail: Detail<CopyRun> = {
  label: ({ kind, startedAt }) => `Détail\u00a0: ${COPY_RUN_KIND_LABELS[kind]} du ${formatDateTime(startedAt)}`,
  content: ({ copy, failure, findings }) => (
    <div className="grid gap-2 text-body">
      {copy && <p className="text-ink-soft">{copy}</p>}
      {failure && <p className="text-danger">{failure}</p>}
      {findings.length > 0 && (
        <ul className="grid gap-1.5">
          {findings.map(({ label, ok, detail }) => (
            <li key={label} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <Badge tone={ok ? 'success' : 'danger'}>{label}</Badge>
              <span className="text-ink-soft">{detail}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  ),
}

const smallClass = 'block text-[0.8125rem] text-ink-soft'

function CopyProof({ proved }: Pick<InstallationCopy, 'proved'>) {
  if (!proved) return <Badge tone="neutral">Pas encore essayée</Badge>
  const what = proved.kind === 'drill' ? 'Restauration' : 'Relecture'
  return (
    <span className="block">
      <Badge tone={proved.ok ? 'success' : 'danger'}>{`${what} ${proved.ok ? 'réussie' : 'échouée'}`}</Badge>
      <span className={`mt-1 ${smallClass}`}>{`le ${formatDate(proved.at)}`}</span>
    </span>
  )
}

const COPY_PERIOD_LABELS = { day: 'du jour', week: 'de la semaine', month: 'du mois' }

const formatKeptFor = (reasons: InstallationCopy['keptFor']) =>
  reasons.length
    ? `Dernière ${reasons.map((reason) => COPY_PERIOD_LABELS[reason]).join(', ')}`
    : 'Partira à la prochaine copie'

const copyColumns: Column<InstallationCopy & { id: string }>[] = [
  {
    header: 'Copie',
    card: 'title',
    cell: ({ name, madeAt, version }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{formatDateTime(madeAt)}</span>
        <span className={smallClass}>{`${name}, Voisol ${version}`}</span>
      </span>
    ),
  },
  {
    header: 'Contenu',
    card: 'primary',
    cell: ({ rows, files, bytes, missing }) => (
      <span className="block">
        <span className="tabular block">{formatFileSize(bytes)}</span>
        <span className={smallClass}>{`${formatNumber(rows)} lignes, ${formatCount(files, 'fichier')}`}</span>
        {missing > 0 && (
          <span className="block text-[0.8125rem] text-warning">{`incomplète\u00a0: ${formatCount(missing, 'fichier manquant', 'fichiers manquants')}`}</span>
        )}
      </span>
    ),
  },
  { header: 'Preuve', card: 'primary', cell: ({ proved }) => <CopyProof proved={proved} /> },
  {
    header: 'Gardée comme',
    card: 'secondary',
    cell: ({ keptFor }) => (
      <span className="block min-w-28 text-[0.8125rem] text-ink-soft">{formatKeptFor(keptFor)}</span>
    ),
  },
]

const RestoreTestButtons = withAccess(backups.drill, ({ name }: { name: string }) => {
  const drill = useAction(backups.drill, [backups.installation])
  const verify = useAction(backups.verify, [backups.installation])
  const params = { name }
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        loading={drill.isPending}
        aria-label={`Essayer de restaurer ${name}`}
        onClick={() => void drill.run({ params }).then(notifyStarted('L’essai de restauration commence'), showFailure)}
      >
        Essayer
      </Button>
      <Button
        variant="quiet"
        size="small"
        loading={verify.isPending}
        aria-label={`Relire ${name}`}
        onClick={() => void verify.run({ params }).then(notifyStarted('La relecture commence'), showFailure)}
      >
        Relire
      </Button>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Télécharger ${name}`}
        onClick={() => void download(backups.content, { params }).catch(showFailure)}
      >
        Télécharger
      </Button>
    </>
  )
})

const CopyActions = ({ copy }: { copy: InstallationCopy }) => <RestoreTestButtons name={copy.name} />

const TrustForm = z.object({ name: Text, publicKey: InstallationKey, ...reauthenticationFields })

function AddTrustedForm({ onDone }: { onDone: () => void }) {
  const trust = useAction(backups.trust, [backups.trusted])
  const form = useReauthenticationForm(TrustForm, {
    defaults: { name: '', publicKey: '', password: '' },
    save: async ({ name, publicKey }, proof) => {
      await trust.run({ body: { name, publicKey, ...proof } })
      toast({ title: 'Installation ajoutée', description: name, variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom de l’installation" hint="Par exemple «&nbsp;Voisol de Lyon&nbsp;»." />
      <Field
        form={form}
        name="publicKey"
        label="Clé publique"
        hint="Celle que son écran «&nbsp;Copies&nbsp;» affiche. Faites-vous la confirmer de vive voix par son exploitant."
      />
      <Reauthentication form={form} action="Faire confiance à cette installation" />
    </form>
  )
}

const AddButton = withAccess(backups.trust, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        Ajouter une installation
      </Button>
      <Dialog
        title="Faire confiance à une installation"
        description="Les copies d’organisations qu’elle a signées se reprendront ici en entier, comme celles de cette installation."
        open={open}
        onOpenChange={setOpen}
      >
        <AddTrustedForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
})

const RemoveTrustedButton = withAccess(backups.distrust, ({ trusted }: { trusted: TrustedInstallation }) => {
  const remove = useAction(backups.distrust, [backups.trusted])
  return (
    <Confirm
      title={`Retirer ${trusted.name}\u00a0?`}
      description="Ses copies n’apporteront plus que des participants, des points et leurs courbes. Ce qui a été repris reste."
      action="Retirer cette installation"
      onConfirm={() => remove.run({ params: { id: trusted.id } })}
      trigger={
        <Button variant="quiet" size="small">
          Retirer
        </Button>
      }
    />
  )
})

const columns: Column<TrustedInstallation>[] = [
  {
    header: 'Installation',
    card: 'title',
    cell: ({ name, addedBy, createdAt }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{`${addedBy}, le ${formatDate(createdAt)}`}</span>
      </span>
    ),
  },
  { header: 'Clé publique', card: 'primary', cell: ({ publicKey }) => <code className="break-all">{publicKey}</code> },
]

/** Whose archives of companies are believed beside those of this installation. */
function TrustedInstallations() {
  const { data, error, refetch } = useQuery(query(backups.trusted, {}))
  return (
    <Card
      title="Installations de confiance"
      description="La copie d’une organisation signée par l’une d’elles se reprend ici en entier. Toute autre n’apporte que des participants, des points et leurs courbes."
      actions={<AddButton />}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton label="Installations de confiance" />
      ) : (
        <div className="grid gap-5 [&>*]:min-w-0">
          <div className="grid gap-1 text-body">
            <p className="text-ink-soft">Clé publique de cette installation, à donner à une autre&nbsp;:</p>
            <div className="flex flex-wrap items-center gap-3">
              <code className="break-all">{data.publicKey}</code>
              <CopyButton text={data.publicKey} />
            </div>
          </div>
          {data.items.length === 0 ? (
            <EmptyState
              title="Aucune autre installation"
              why="Les copies faites ici sont toujours reconnues. Ajoutez la clé d’une autre installation pour reprendre les siennes en entier."
              because="all-well"
            />
          ) : (
            <Table
              label="Installations de confiance"
              rows={data.items}
              columns={columns}
              rowActions={(trusted) => <RemoveTrustedButton trusted={trusted} />}
            />
          )}
        </div>
      )}
    </Card>
  )
}
