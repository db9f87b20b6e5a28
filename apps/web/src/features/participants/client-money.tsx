import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import { invoices } from '@voisol/contract/invoices'
import type { Participant } from '@voisol/contract/participants'
import { useCan } from '../../lib/can.tsx'
import { money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/table.tsx'

const soft = 'block text-[0.8125rem] text-ink-soft'
const QUARTER_HOUR = 15 * 60_000

type Owed = { billed: number; open: number; overdue: number; credit: number }
type Money = { accounts: Map<string, Owed>; toBill: Map<string, number> | null }

/** What each client was invoiced and owes, and what is to come; null to who may not see it, or where nothing was issued. */
export function useClientMoney(): Money | null {
  const can = useCan()
  const accounts = useQuery({ ...query(invoices.accounts, { query: {} }), enabled: can(invoices.accounts) })
  const some = (accounts.data?.items.length ?? 0) > 0
  const coming = useQuery({
    ...query(billing.toBill, { query: {} }),
    enabled: some && can(billing.toBill),
    staleTime: QUARTER_HOUR,
  })
  if (!accounts.data || !some) return null
  return {
    accounts: new Map(accounts.data.items.map(({ buyer, ...owed }) => [buyer.id, owed])),
    toBill: coming.data ? new Map(coming.data.buyers.map(({ id, gross }) => [id, gross])) : null,
  }
}

const owedNote = ({ open, overdue, credit }: Owed) => {
  const late = 'block text-[0.8125rem] text-danger'
  if (overdue > 0) return <span className={late}>{overdue < open && `dont ${money(overdue)} `}en retard</span>
  if (open === 0 && credit > 0) return <span className={soft}>{money(credit)} de crédit</span>
  return null
}

/** « Facturé » leads to the client's account, where each document of it stands. */
export const moneyColumns = ({ accounts, toBill }: Money): Column<Participant>[] => [
  {
    header: 'Facturé TTC',
    card: 'primary',
    align: 'end',
    cell: ({ id }) => {
      const own = accounts.get(id)
      if (!own) return '–'
      return (
        <Link to={`/participant-billing?participant=${id}`} className="text-link whitespace-nowrap">
          {money(own.billed)}
        </Link>
      )
    },
  },
  ...(toBill
    ? [
        {
          header: 'À facturer TTC',
          card: 'primary' as const,
          align: 'end' as const,
          cell: ({ id }: Participant) => (toBill.has(id) ? money(toBill.get(id) ?? 0) : '–'),
        },
      ]
    : []),
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ id }) => {
      const own = accounts.get(id)
      if (!own) return '–'
      return (
        <span className="block py-1">
          {own.open > 0 ? money(own.open) : 'Rien'}
          {owedNote(own)}
        </span>
      )
    },
  },
]
