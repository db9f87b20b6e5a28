/** The local day in Europe/Paris. */
export const today = () => Temporal.Now.plainDateISO('Europe/Paris').toString()
/** The local day on which an instant falls. */
export const parisDay = (at: Date) => at.toTemporalInstant().toZonedDateTimeISO('Europe/Paris').toPlainDate().toString()
