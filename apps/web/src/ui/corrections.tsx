import { useId, useState } from 'react'
import { type Correction, correctedFile, faultOf, stillWrong, textOf, titlesOf, written } from '../lib/corrections.ts'
import { plural } from '../lib/format.ts'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

type Answer = { lines: Parameters<typeof stillWrong>[1] }
type CorrectionsProps = {
  rows: Correction[]
  /** « Importer », « Vérifier ». */
  action: string
  /** Sends the file of these lines alone; nothing where it could not be. */
  onSend: (file: File) => Promise<Answer | undefined>
}

type CellProps = { row: Correction; title: string; onWrite: (text: string) => void }

function CellInput({ row, title, onWrite }: CellProps) {
  const id = useId()
  const fault = row.cells.find((cell) => cell.title === title)?.message ?? ''
  return (
    <td className="min-w-36 p-1 align-top">
      <Input
        aria-label={`${title}, ligne ${row.line}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? id : undefined}
        autoComplete="off"
        value={textOf(row, title)}
        onChange={(event) => onWrite(event.target.value)}
      />
      {fault && (
        <p id={id} className="mt-1 max-w-56 text-[0.8125rem] text-danger">
          {fault}
        </p>
      )}
    </td>
  )
}

type RowsProps = { rows: Correction[]; onRows: (rows: Correction[]) => void }

function Rows({ rows, onRows }: RowsProps) {
  const titles = titlesOf(rows)
  return (
    <table className="w-full border-collapse text-left text-body">
      <caption className="sr-only">Lignes à corriger</caption>
      <thead>
        <tr className="text-[0.8125rem] text-ink-soft">
          {['Ligne', ...titles].map((title) => (
            <th key={title} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.line} className="border-t border-line">
            <th scope="row" className="tabular px-3 py-3 align-top font-normal">
              {row.line}
              {faultOf(row) && <p className="min-w-36 text-[0.8125rem] text-danger">{faultOf(row)}</p>}
            </th>
            {titles.map((title) => (
              <CellInput
                key={title}
                row={row}
                title={title}
                onWrite={(text) => onRows(written(rows, row.line, title, text))}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The lines of a file that were refused, written over in place; only they are sent again. */
export function Corrections({ rows: first, action, onSend }: CorrectionsProps) {
  const [rows, setRows] = useState(first)
  const [sending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    const answer = await onSend(correctedFile(rows)).finally(() => setSending(false))
    if (answer) setRows(stillWrong(rows, answer.lines))
  }
  if (rows.length === 0) return null
  return (
    <section
      aria-label="Lignes à corriger"
      className="grid gap-3 rounded-card border border-line bg-page p-4 [&>*]:min-w-0"
    >
      <p className="text-body font-medium">
        {plural(rows.length, 'ligne à corriger', 'lignes à corriger')} ici, sans reprendre le fichier
      </p>
      <div className="overflow-x-auto rounded-card border border-line bg-card">
        <Rows rows={rows} onRows={setRows} />
      </div>
      <Button variant="secondary" className="justify-self-end" loading={sending} onClick={() => void send()}>
        {action} {plural(rows.length, 'ligne corrigée', 'lignes corrigées')}
      </Button>
    </section>
  )
}
