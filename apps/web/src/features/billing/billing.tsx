import { OperationChoice } from '../../ui/operation-choice.tsx'
import { Months } from './months.tsx'

/** One guided page: a month is checked, previewed, closed and issued. The operation and the month stand in the address. */
export default function Billing() {
  return (
    <OperationChoice why={'Un mois est celui d’une opération\u00a0: il se facture une fois son énergie répartie.'}>
      {(operation) => <Months operation={operation} />}
    </OperationChoice>
  )
}
