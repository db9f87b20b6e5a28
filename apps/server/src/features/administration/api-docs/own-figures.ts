const buildFigures = (from: string, to: string, kwh: [number, number, number]) => {
  const [consumedKwh, localKwh, gridKwh] = kwh
  const none = { producedKwh: 0, sharedKwh: 0, surplusKwh: 0, sharedRate: null }
  return { from, to, consumedKwh, localKwh, gridKwh, localRate: localKwh / consumedKwh, receivedRate: 1, ...none }
}

/** Sample figures of a home without solar panels, on the evening of 16 June. */
export const OWN_FIGURES = {
  receivedUntil: '2026-06-15T22:00:00.000Z',
  lastDay: buildFigures('2026-06-15', '2026-06-16', [8, 3, 5]),
  month: buildFigures('2026-06-01', '2026-06-17', [128, 48, 80]),
  year: buildFigures('2026-01-01', '2026-06-17', [1600, 400, 1200]),
}
