import type { CurveImport } from '@voisol/contract/curves'
import { useState } from 'react'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { parseStepChoice, STAMP_LABELS, STEP_LABELS, TIME_ZONE_LABELS, UNIT_LABELS } from '../labels.ts'
import { CandidateComparison } from './comparison.tsx'
import {
  describeCandidate,
  haveDifferentEnergies,
  type QuestionAnswers,
  type QuestionSubject,
} from './question-texts.ts'
import { useImportChoices } from './use-choices.ts'

const QUESTION_TITLES: Record<QuestionSubject, string> = {
  unit: 'Dans quelle unité sont les valeurs\u00a0?',
  stamp: 'Que marque l’horodate de chaque ligne\u00a0?',
  zone: 'À quelle heure sont les horodates\u00a0?',
  step: 'Combien de temps couvre chaque ligne\u00a0?',
}
const CANDIDATE_LABELS: Record<QuestionSubject, Record<string, string>> = {
  unit: UNIT_LABELS,
  stamp: STAMP_LABELS,
  zone: TIME_ZONE_LABELS,
  step: STEP_LABELS,
}

const parseChoice = <K extends string>(labels: Record<K, string>, value: string | undefined) =>
  toChoices(labels).find((one) => one.value === value)?.value

/** What only a person can say: each way to read the file stands beside what is known of its points. */
export function ImportQuestionForm({ item }: { item: CurveImport }) {
  const { questions, known } = item.asked
  const [answers, setAnswers] = useState<QuestionAnswers>({})
  const { correct, isPending } = useImportChoices(item)
  const complete = questions.every(({ about }) => answers[about] !== undefined)
  const apply = () =>
    correct({
      ...(answers.unit && { unit: parseChoice(UNIT_LABELS, answers.unit) }),
      ...(answers.stamp && { stamp: parseChoice(STAMP_LABELS, answers.stamp) }),
      ...(answers.zone && { zone: parseChoice(TIME_ZONE_LABELS, answers.zone) }),
      ...(answers.step && { step: parseStepChoice(answers.step) }),
    })
  return (
    <section
      aria-labelledby={`${item.id}-questions`}
      className="grid gap-5 rounded-card border border-warning p-4 [&>*]:min-w-0"
    >
      <div className="grid gap-1">
        <h3 id={`${item.id}-questions`} className="text-body font-semibold">
          {questions.length > 1
            ? `${formatCount(questions.length, 'chose')} que le fichier ne dit pas`
            : 'Ce que le fichier ne dit pas'}
        </h3>
        <p className="prose-width text-body text-ink-soft">
          Rien n’est enregistré d’après une supposition. Comparez ce que donnerait chaque lecture avec ce que vous
          savez, puis choisissez.
        </p>
      </div>
      {questions.map(({ about, candidates }) => (
        <div key={about} className="grid gap-3 [&>*]:min-w-0">
          <RadioGroup
            label={QUESTION_TITLES[about]}
            value={answers[about] ?? ''}
            onChange={({ target }) => setAnswers((old) => ({ ...old, [about]: target.value }))}
            options={candidates.map((one) => ({
              value: one.value,
              label: CANDIDATE_LABELS[about][one.value] ?? one.label,
              hint: describeCandidate(one, { candidates, known }),
            }))}
          />
          {haveDifferentEnergies(candidates) && known.length > 0 && (
            <CandidateComparison about={about} candidates={candidates} known={known} />
          )}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={!complete} loading={isPending} onClick={apply}>
          Lire le fichier ainsi
        </Button>
        {!complete && <p className="text-[0.8125rem] text-ink-soft">Répondez à chaque question pour continuer.</p>}
      </div>
    </section>
  )
}
