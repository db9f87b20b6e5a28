import { useQuery } from '@tanstack/react-query'
import { type DueAccount, FORMAL_NOTICE_LEVEL, REMINDER_LEVEL_LABELS, reminders } from '@voisol/contract/reminders'
import { useState } from 'react'
import { Can, useCan } from '../../lib/can.tsx'
import { formatCount, formatDate, formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { KpiTile } from '../../ui/tile.tsx'
import { DueAccountActions } from './actions.tsx'
import { OpenHolds } from './holds.tsx'
import { SentReminders } from './sent.tsx'

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
