import { withDe } from '@voisol/contract/elision'
import { type ProducerStatement, statements } from '@voisol/contract/statements'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'

type Props = { statement: ProducerStatement }
const toParams = ({ sellerId, month }: ProducerStatement) => ({ sellerId, month: month.slice(0, 7) })

export const StatementPdfButton = ({ statement }: Props) => (
  <Button
    variant="quiet"
    size="small"
    icon={<Download aria-hidden="true" />}
    aria-label={`Relevé de ${statement.seller}, PDF`}
    onClick={() =>
      void download(statements.pdf, { params: toParams(statement) }).catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
    }
  >
    PDF
  </Button>
)

/** Once told, a statement stays: what comes later is of a later month. */
export const SettleStatementButton = withAccess(statements.settle, ({ statement }: Props) => {
  const settle = useAction(statements.settle, [statements.list, statements.get])
  if (statement.settled || statement.waits) return null
  const fees = statement.fee.gross
    ? ` La facture des frais de l’organisateur (${formatMoney(statement.fee.gross)} TTC) est émise.`
    : ''
  return (
    <Confirm
      tone="primary"
      title={`Arrêter le relevé de ${statement.seller}`}
      description={`Le relevé ${withDe(formatMonthYear(statement.month))} ne changera plus.${fees}`}
      action="Arrêter le relevé"
      trigger={
        <Button variant="secondary" size="small">
          Arrêter
        </Button>
      }
      onConfirm={async () => {
        await settle.run({ params: toParams(statement) })
        toast({ title: 'Relevé arrêté', variant: 'success' })
      }}
    />
  )
})
