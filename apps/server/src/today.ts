/** The local day in Europe/Paris. */
export const getToday = () => Temporal.Now.plainDateISO('Europe/Paris').toString()

/** The local day of an instant in Europe/Paris. */
export const toParisDay = (at: Date | string) =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime())
    .toZonedDateTimeISO('Europe/Paris')
    .toPlainDate()
    .toString()
