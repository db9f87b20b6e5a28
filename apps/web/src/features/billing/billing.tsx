import { OperationSelector } from '../../ui/operation-choice.tsx'
import { MonthsToBill } from './months.tsx'

/** One guided page: a month is checked, previewed, closed and issued. The operation and the month stand in the address. */
export default function Billing() {
  return (
    <OperationSelector why={'Les mois se facturent opération par opération, une fois leur énergie répartie.'}>
      {(operation) => <MonthsToBill operation={operation} />}
    </OperationSelector>
  )
}
