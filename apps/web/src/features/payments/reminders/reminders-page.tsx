import { useQuery } from '@tanstack/react-query'
import {
  type DueAccount,
  FORMAL_NOTICE_LEVEL,
  HOLD_KIND_LABELS,
  type Hold,
  REMINDER_LEVEL_LABELS,
  type ReminderRow,
  reminders,
} from '@voisol/contract/reminders'
import Download from 'lucide-react/icons/download'
import { Suspense, useState } from 'react'
import { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { download } from '../../../lib/call.ts'
import { Can, useCan, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Row = DueAccount & { id: string }
const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const getLevelTone = (level: number) => (level >= FORMAL_NOTICE_LEVEL ? ('danger' as const) : ('warning' as const))

const columns: Column<Row>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller }) => (
      <span className="block min-w-40 py-1">
        <Link to={`/participant-billing?participant=${buyer.id}`} className="font-medium text-link">
          {buyer.name}
        </Link>
        <span className={softTextClass}>doit à {seller.name}</span>
      </span>
    ),
  },
  {
    header: 'En retard',
    card: 'primary',
    align: 'end',
    cell: ({ overdue, late }) => (
      <span className="block py-1">
        <span className="font-medium">{formatMoney(overdue)}</span>
        <span className={softTextClass}>depuis {formatCount(late, 'jour')}</span>
      </span>
    ),
  },
  {
    header: 'Dernière relance',
    card: 'primary',
    cell: ({ last }) => (last ? `${REMINDER_LEVEL_LABELS[last.level]}, ${formatDate(last.sentOn)}` : 'Aucune'),
  },
  {
    header: 'Aujourd’hui',
    card: 'primary',
    cell: ({ level, stopped, buyer }) => (
      <span className="grid max-w-72 justify-items-start gap-0.5 py-1 max-sm:justify-items-end max-sm:text-right">
        {level ? (
          <>
            <Badge tone={getLevelTone(level)}>{REMINDER_LEVEL_LABELS[level]}</Badge>
            <span className={softTextClass}>
              {buyer.email ? `à ${buyer.email}` : 'par courrier\u00a0: pas d’adresse e-mail'}
            </span>
          </>
        ) : (
          <span className="text-[0.8125rem] text-ink-soft">{stopped || 'Rien à envoyer\u00a0: délai non écoulé.'}</span>
        )}
      </span>
    ),
  },
]

const getAccountKey = ({ seller, buyer }: DueAccount) => `${seller.id} ${buyer.id}`

function useSendReminders() {
  const send = useAction(reminders.send, [reminders.due, reminders.list])
  return async (rows: Row[], formal: boolean) => {
    const accounts = rows.flatMap(({ seller, buyer, level }) =>
      level ? [{ sellerId: seller.id, buyerId: buyer.id, level }] : [],
    )
    const { sent, refused } = await send.run({ body: { accounts, formal } })
    const [first] = refused
    toast({
      title: sent > 0 ? `${formatCount(sent, 'relance envoyée', 'relances envoyées')}` : 'Rien n’est parti',
      description: first ? `${first.buyer}\u00a0: ${first.why}` : '',
      variant: first ? 'destructive' : 'success',
    })
  }
}

/** The button of those one has ticked: it says what leaves, and asks for a reader where one of them is formal. */
function SendSelectedButton({ rows, onDone }: { rows: Row[]; onDone: () => void }) {
  const send = useSendReminders()
  const formal = rows.filter(({ level }) => (level ?? 0) >= FORMAL_NOTICE_LEVEL).length
  const sum = rows.reduce((total, { items }) => total + items.reduce((part, { open }) => part + open, 0), 0)
  return (
    <Confirm
      tone="primary"
      title={`Envoyer ${formatCount(rows.length, 'relance')}`}
      description={`${formatMoney(sum)} réclamés.${
        formal
          ? ` ${formatCount(formal, 'est une mise en demeure', 'sont des mises en demeure')}\u00a0: vous confirmez les avoir relues.`
          : ''
      } Un message envoyé ne se reprend pas.`}
      action="Envoyer"
      trigger={<Button size="small">Envoyer</Button>}
      onConfirm={async () => {
        await send(rows, formal > 0)
        onDone()
      }}
    />
  )
}

function DueReminders() {
  const { data, error, refetch } = useQuery(query(reminders.due, {}))
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const can = useCan()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Comptes en retard" />
  const rows = data.items.map((item) => ({ ...item, id: getAccountKey(item) }))
  const chosen = rows.filter(({ id, level }) => ids.has(id) && level !== null)
  if (rows.length === 0)
    return (
      <EmptyState
        title="Personne n’est en retard"
        why="Un compte paraît ici dès qu’une facture échue reste à payer."
        because="all-well"
      />
    )
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3 [&>*]:min-w-0">
        <KpiTile
          label="En retard"
          figure={formatMoney(data.totals.overdue)}
          note={formatCount(rows.length, 'compte')}
        />
        <KpiTile
          label="À relancer aujourd’hui"
          figure={String(data.totals.due)}
          note={data.working ? 'Jour ouvré' : 'Jour non ouvré\u00a0: rien ne part tout seul'}
        />
        <KpiTile label="Relances suspendues" figure={String(data.totals.stopped)} note="Litige, échéancier, banque…" />
      </div>
      <Table
        label="Comptes en retard"
        rows={rows}
        columns={columns}
        rowActions={(row) => <DueAccountActions account={row} />}
        {...(can(reminders.send) && {
          selection: {
            ids,
            onChange: setIds,
            label: ({ buyer }: Row) => buyer.name,
            actions: (
              <Can call={reminders.send}>
                {chosen.length > 0 ? (
                  <SendSelectedButton rows={chosen} onDone={() => setIds(new Set())} />
                ) : (
                  <span className="text-body">Rien n’est à envoyer à ceux-là aujourd’hui.</span>
                )}
              </Can>
            ),
          },
        })}
      />
    </>
  )
}

/** Who is to be reminded today, what holds others back, and what was sent. */
export default function RemindersPanel() {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <DueReminders />
      <OpenHolds />
      <SentReminders />
    </div>
  )
}

const describeDelivery = ({ email, mailedAt, failure }: ReminderRow) =>
  failure || (email ? `${mailedAt ? 'Remise' : 'En attente'}\u00a0: ${email}` : 'À imprimer et poster')

const sentColumns: Column<ReminderRow>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{buyer.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">pour {seller.name}</span>
      </span>
    ),
  },
  { header: 'Relance', card: 'primary', cell: ({ level }) => REMINDER_LEVEL_LABELS[level] },
  { header: 'Envoyée le', card: 'primary', cell: ({ sentOn }) => formatDate(sentOn) },
  { header: 'Réclamé', card: 'primary', align: 'end', cell: ({ open }) => formatMoney(open) },
  {
    header: 'Remise',
    card: 'primary',
    cell: (row) => <span className={row.failure ? 'text-danger' : undefined}>{describeDelivery(row)}</span>,
  },
  { header: 'Par', cell: ({ by }) => by || 'Voisol' },
]

const MAX_LISTED_REMINDERS = 25

/** The last ones that were sent, each with its letter. */
function SentReminders() {
  const { data } = useQuery(query(reminders.list, { query: { size: MAX_LISTED_REMINDERS } }))
  if (!data?.items.length) return null
  return (
    <section className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Relances envoyées</h2>
      <Table
        label="Relances envoyées"
        rows={data.items}
        columns={sentColumns}
        rowActions={({ id, buyer }) => (
          <Button
            variant="quiet"
            size="small"
            icon={<Download aria-hidden="true" />}
            aria-label={`Lettre à ${buyer.name}, PDF`}
            onClick={() =>
              void download(reminders.pdf, { params: { id } }).catch((error: unknown) =>
                toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
              )
            }
          >
            PDF
          </Button>
        )}
      />
    </section>
  )
}

const HoldDialog = lazy(() => import('./hold-dialog.tsx'))
type Props = { account: DueAccount }

/** The letter as it would leave, before anything leaves. */
function ReminderPreviewDialog({ account, onClose }: Props & { onClose: () => void }) {
  const { seller, buyer } = account
  const { data, error } = useQuery({
    ...query(reminders.preview, { query: { sellerId: seller.id, buyerId: buyer.id } }),
    staleTime: 0,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${REMINDER_LEVEL_LABELS[account.level ?? 1]} à ${buyer.name}`}
      description="Le texte exact qui partirait ; il se règle dans Tarifs et réglages, Réglages légaux."
    >
      {error ? (
        <p className="text-danger">{explainError(error)}</p>
      ) : data ? (
        <article className="rounded-card border border-line bg-page p-5 text-body whitespace-pre-line">
          {data.text}
        </article>
      ) : (
        <Skeleton className="h-48 w-full" />
      )}
    </Dialog>
  )
}

function ClaimFeesButton({ account: { seller, buyer, fees } }: Props) {
  const claim = useAction(reminders.claim, [reminders.due])
  if (!fees || fees.indemnity + fees.interest === 0) return null
  return (
    <Confirm
      tone="primary"
      title={`Réclamer les frais de retard à ${buyer.name}`}
      description={`${formatMoney(fees.indemnity)} d’indemnité de recouvrement et ${formatMoney(fees.interest)} de pénalités sont ajoutés à son compte.`}
      action="Réclamer ces frais"
      trigger={
        <Button variant="quiet" size="small">
          Frais de retard
        </Button>
      }
      onConfirm={async () => {
        const done = await claim.run({ body: { sellerId: seller.id, buyerId: buyer.id } })
        toast({ title: `${formatMoney(done.indemnity + done.interest)} réclamés`, variant: 'success' })
      }}
    />
  )
}

function DueAccountActions({ account }: Props) {
  const [open, setOpen] = useState<'preview' | 'hold' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      {account.level && (
        <Button variant="quiet" size="small" onClick={() => setOpen('preview')}>
          Lire
        </Button>
      )}
      <Can call={reminders.hold}>
        <Button variant="quiet" size="small" onClick={() => setOpen('hold')}>
          Suspendre
        </Button>
      </Can>
      <Can call={reminders.claim}>
        <ClaimFeesButton account={account} />
      </Can>
      {open === 'preview' && <ReminderPreviewDialog account={account} onClose={close} />}
      {open === 'hold' && (
        <Suspense fallback={null}>
          <HoldDialog account={account} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const PART_STATE_LABELS: Record<Hold['parts'][number]['state'], string> = {
  kept: 'tenue',
  broken: 'manquée',
  coming: 'à venir',
}

function describeHold({ kind, reason, until, parts, invoiceNumber }: Hold): string {
  if (kind === 'dispute') return [invoiceNumber, reason].filter(Boolean).join('\u00a0: ')
  if (kind === 'promise') return `Pour le ${formatDate(until ?? '')}${reason ? `\u00a0: ${reason}` : ''}`
  return parts
    .map(({ on, amount, state }) => `${formatDate(on)} ${formatMoney(amount)} (${PART_STATE_LABELS[state]})`)
    .join(', ')
}

function getHoldState({ holds, kind, parts }: Hold): { label: string; tone: Tone } {
  if (holds) return { label: 'Suspend les relances', tone: 'info' }
  if (parts.length > 0 && parts.every(({ state }) => state === 'kept')) return { label: 'Tenu', tone: 'success' }
  return { label: kind === 'promise' ? 'Promesse passée' : 'Rompu', tone: 'danger' }
}

const holdsColumns: Column<Hold>[] = [
  { header: 'Acheteur', card: 'title', cell: ({ buyer }) => <span className="font-medium">{buyer.name}</span> },
  { header: 'Nature', card: 'primary', cell: ({ kind }) => HOLD_KIND_LABELS[kind] },
  {
    header: 'Détail',
    card: 'secondary',
    cell: (hold) => <span className="block max-w-96 py-1">{describeHold(hold)}</span>,
  },
  { header: 'Depuis', card: 'primary', cell: ({ startsOn }) => formatDate(startsOn) },
  {
    header: 'État',
    card: 'primary',
    cell: (hold) => <Badge tone={getHoldState(hold).tone}>{getHoldState(hold).label}</Badge>,
  },
]

const CloseForm = z.object({ resolution: z.string().trim().min(5, 'Dites comment cela s’est conclu.').max(1000) })

const CloseHold = withAccess(reminders.closeHold, ({ hold }: { hold: Hold }) => {
  const [open, setOpen] = useState(false)
  const close = useAction(reminders.closeHold, [reminders.holds, reminders.due])
  const form = useSchemaForm(CloseForm, {
    defaults: { resolution: '' },
    save: async ({ resolution }) => {
      await close.run({ params: { id: hold.id }, body: { resolution, version: hold.version } })
      toast({ title: 'Clos\u00a0: les relances reprennent', variant: 'success' })
      setOpen(false)
    },
  })
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        Clore
      </Button>
      {open && (
        <Dialog
          open
          onOpenChange={setOpen}
          width="narrow"
          title={`Clore\u00a0: ${HOLD_KIND_LABELS[hold.kind]}, ${hold.buyer.name}`}
        >
          <form onSubmit={form.submit} noValidate className="grid gap-5">
            <FormErrors form={form} />
            <Field form={form} name="resolution" label="Comment cela s’est conclu" />
            <footer className="flex justify-end">
              <Button type="submit" loading={form.formState.isSubmitting}>
                Clore
              </Button>
            </footer>
          </form>
        </Dialog>
      )}
    </>
  )
})

/** Disputes, promises and schedules that are open. */
function OpenHolds() {
  const { data } = useQuery(query(reminders.holds, { query: { open: 'true' } }))
  if (!data?.items.length) return null
  return (
    <section className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Litiges, promesses et échéanciers</h2>
      <Table
        label="Litiges, promesses et échéanciers"
        rows={data.items}
        columns={holdsColumns}
        rowActions={(hold) => <CloseHold hold={hold} />}
      />
    </section>
  )
}
