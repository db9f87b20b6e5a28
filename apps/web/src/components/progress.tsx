import { formatPercent } from '../lib/format.ts'

/** Long work: what is being done and how far it is, in words and as a bar. `done` is 0 to 1. */
export const Progress = ({ label, done }: { label: string; done: number }) => (
  <div className="grid gap-1.5">
    <div className="flex justify-between gap-4 text-body">
      <span>{label}</span>
      <span className="tabular text-ink-soft">{formatPercent(done, 0)}</span>
    </div>
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(done * 100)}
      aria-valuetext={formatPercent(done, 0)}
      className="h-2 overflow-hidden rounded-full bg-slate-200"
    >
      <div
        className="h-full rounded-full bg-primary transition-[width] duration-200"
        style={{ width: `${done * 100}%` }}
      />
    </div>
  </div>
)
