import { useId, useState } from 'react'
import {
  buildCorrectedFile,
  findRemainingCorrections,
  getCellText,
  getLineError,
  type LineCorrection,
  listColumnTitles,
  updateCorrection,
} from '../lib/corrections.ts'
import { formatCount } from '../lib/format.ts'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

type CorrectionReply = { lines: Parameters<typeof findRemainingCorrections>[1] }
type CorrectionsProps = {
  rows: LineCorrection[]
  /** « Importer », « Vérifier ». */
  action: string
  /** Sends the file of these lines alone; nothing where it could not be. */
  onSend: (file: File) => Promise<CorrectionReply | undefined>
}

type CellProps = { row: LineCorrection; title: string; onWrite: (text: string) => void }

function CellInput({ row, title, onWrite }: CellProps) {
  const id = useId()
  const message = row.cells.find((cell) => cell.title === title)?.message ?? ''
  return (
    <td className="min-w-36 p-1 align-top">
      <Input
        aria-label={`${title}, ligne ${row.line}`}
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? id : undefined}
        autoComplete="off"
        value={getCellText(row, title)}
        onChange={(event) => onWrite(event.target.value)}
      />
      {message && (
        <p id={id} className="mt-1 max-w-56 text-[0.8125rem] text-danger">
          {message}
        </p>
      )}
    </td>
  )
}

type RowsProps = { rows: LineCorrection[]; onRows: (rows: LineCorrection[]) => void }

function CorrectionTable({ rows, onRows }: RowsProps) {
  const titles = listColumnTitles(rows)
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
              {getLineError(row) && <p className="min-w-36 text-[0.8125rem] text-danger">{getLineError(row)}</p>}
            </th>
            {titles.map((title) => (
              <CellInput
                key={title}
                row={row}
                title={title}
                onWrite={(text) => onRows(updateCorrection(rows, row.line, title, text))}
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
    const answer = await onSend(buildCorrectedFile(rows)).finally(() => setSending(false))
    if (answer) setRows(findRemainingCorrections(rows, answer.lines))
  }
  if (rows.length === 0) return null
  return (
    <section
      aria-label="Lignes à corriger"
      className="grid gap-3 rounded-card border border-line bg-page p-4 [&>*]:min-w-0"
    >
      <p className="text-body font-medium">
        {formatCount(rows.length, 'ligne à corriger', 'lignes à corriger')} ici, sans reprendre le fichier
      </p>
      <div className="overflow-x-auto rounded-card border border-line bg-card">
        <CorrectionTable rows={rows} onRows={setRows} />
      </div>
      <Button variant="secondary" className="justify-self-end" loading={sending} onClick={() => void send()}>
        {action} {formatCount(rows.length, 'ligne corrigée', 'lignes corrigées')}
      </Button>
    </section>
  )
}
