import { DIRECTIONS, prm } from '../../../../lib/energy-labels.ts'
import { plural } from '../../../../lib/format.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { type Column, Table } from '../../../../ui/table.tsx'
import type { Standing } from './connection.tsx'
import { datesWords } from './words.ts'

type Stranger = Standing['strangers'][number]

const columns: Column<Stranger & { id: string }>[] = [
  { header: 'PRM', cell: (row) => <span className="tabular font-medium whitespace-nowrap">{prm(row.prm)}</span> },
  { header: 'Sens', cell: ({ direction }) => DIRECTIONS[direction] },
  { header: 'Dates chez Enedis', cell: (row) => <span className="block min-w-48">{datesWords(row)}</span> },
]

/** Points the distributor counts in and we do not: energy goes to them that nobody sees here. */
export const Strangers = ({ operationId, strangers }: { operationId: string; strangers: Stranger[] }) => (
  <div className="grid gap-3 [&>*]:min-w-0">
    <header className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <h2 className="text-base font-semibold tracking-[-0.01em]">Points inconnus ici</h2>
        <p className="text-body text-ink-soft">
          {plural(strangers.length, 'point figure', 'points figurent')} dans la convention chez Enedis mais pas dans
          cette opération.
        </p>
      </div>
      <ButtonLink variant="secondary" to={`/acc-operations/${operationId}/participants`}>
        Gérer les participants
      </ButtonLink>
    </header>
    <Table
      label="Points inconnus ici"
      rows={strangers.map((row) => ({ ...row, id: `${row.prm}-${row.direction}` }))}
      columns={columns}
    />
  </div>
)
