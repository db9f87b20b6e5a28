import type { StatementImportResult } from '@voisol/contract/bank'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'

/** « 42 mouvements lus, 39 rapprochés, 2 déjà connus, 1 à rapprocher ». */
function summarizeImport({ lines, known, posted, returned, open }: StatementImportResult): string {
  const parts = [
    formatCount(lines, 'mouvement lu', 'mouvements lus'),
    posted > 0 && formatCount(posted, 'rapproché'),
    returned > 0 && formatCount(returned, 'rejet'),
    known > 0 && formatCount(known, 'déjà connu', 'déjà connus'),
    open > 0 && `${open} à rapprocher`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

export function ImportOutcome({ imported }: { imported: StatementImportResult }) {
  return (
    <div role="status" className="grid gap-1 rounded-card bg-success-soft px-4 py-3 text-body">
      <p className="font-medium">{summarizeImport(imported)}</p>
      {imported.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}

export type RefusedFile = { file: File; sentence: string; gap: boolean }

/** Nothing of the file was taken, and why; where only movements before it are missing, it may be taken all the same. */
export function ImportRefusal({ refusal, onTake }: { refusal: RefusedFile; onTake: () => void }) {
  const { file, sentence, gap } = refusal
  return (
    <div role="alert" className="grid gap-3 rounded-card bg-danger-soft px-4 py-3 text-body">
      <p>
        <strong className="font-medium text-danger">{file.name} est refusé.</strong> {sentence}
      </p>
      {gap && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="secondary" size="small" onClick={onTake}>
            Importer quand même
          </Button>
          <p className="min-w-0 flex-1 basis-64 text-[0.8125rem] text-ink-soft">
            Si ce relevé n’existe pas, par exemple avant votre arrivée&#160;: l’écart reste écrit à côté du relevé.
          </p>
        </div>
      )}
    </div>
  )
}
