import { withDe } from '@voisol/contract/elision'
import { cx } from '../../../ui/cx.ts'
import type { MembersByDirection } from '../use-members.ts'
import { KeyCell } from './cell.tsx'
import { formatSharePercent, getShareCellName, sumTypedShares, WHOLE_SHARE } from './form.ts'
import type { KeyFormState } from './use-key-form.ts'

const headClass = 'sticky top-0 z-10 bg-card px-3 py-2 text-[0.8125rem] font-medium text-ink-soft'
const footClass = 'sticky bottom-0 bg-card px-3 py-2 text-body shadow-[inset_0_1px_0_var(--color-line)]'

/** What each consumer gets of each producer, in percent of that producer: every column sums up to 100 % at most. */
export function GridFields({
  members,
  state: { form, setCell },
}: {
  members: MembersByDirection
  state: KeyFormState
}) {
  const { consumers, producers } = members
  const sum = (producerId: string) =>
    sumTypedShares(
      form.cells,
      consumers.map(({ id }) => getShareCellName(id, producerId)),
    )
  return (
    <section aria-label="Parts par producteur" className="grid gap-3">
      <p className="text-body text-ink-soft">
        En pour cent de chaque producteur. La somme d’une colonne ne dépasse pas 100&nbsp;%&nbsp;; ce qui manque devient
        du surplus. Des fichiers de coefficients, importés plus bas, priment sur ces parts aux instants qu’ils couvrent.
      </p>
      <div className="max-h-128 overflow-auto rounded-card border border-line bg-card">
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Part de chaque producteur pour chaque consommateur</caption>
          <thead>
            <tr>
              <th scope="col" className={cx(headClass, 'text-left')}>
                Consommateur
              </th>
              {producers.map(({ id, name }) => (
                <th key={id} scope="col" className={cx(headClass, 'text-right')}>
                  {name} (%)
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {consumers.map((consumer) => (
              <tr key={consumer.id} className="border-t border-line">
                <th scope="row" className="min-w-40 px-3 py-1.5 text-left font-medium">
                  {consumer.name}
                </th>
                {producers.map((producer) => (
                  <td key={producer.id} className="px-3 py-1.5 text-right">
                    <KeyCell
                      name={getShareCellName(consumer.id, producer.id)}
                      label={`Part ${withDe(producer.name)} pour ${consumer.name}, en pour cent`}
                      kind="share"
                      value={form.cells[getShareCellName(consumer.id, producer.id)] ?? ''}
                      onChange={setCell}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className={cx(footClass, 'text-left font-semibold')}>
                Somme
              </th>
              {producers.map(({ id }) => (
                <td
                  key={id}
                  className={cx(footClass, 'tabular text-right font-semibold', sum(id) > WHOLE_SHARE && 'text-danger')}
                >
                  {formatSharePercent(sum(id))}
                  {sum(id) > WHOLE_SHARE && <span className="block text-[0.8125rem]">de trop</span>}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}
