import { OperationChoice } from '../../ui/operation-choice.tsx'
import { Months } from './months.tsx'

/** One guided page: a month is checked, previewed, closed and issued. The operation and the month stand in the address. */
export default function Billing() {
  return (
    <OperationChoice why={'Les mois se facturent opération par opération, une fois leur énergie répartie.'}>
      {(operation) => <Months operation={operation} />}
    </OperationChoice>
  )
}
