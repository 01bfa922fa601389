/**
 * Evidence of what each model can do. Of what was known of its calls before, only a structured call that was right is
 * taken over, as three good ones: that a model had failed, or refused a grammar once, proved nothing.
 */
export const modelAbilities = `
CREATE TABLE model_abilities (
  digest  TEXT NOT NULL,
  -- Kind and version where the engine decides it too, else ''.
  engine  TEXT NOT NULL,
  ability TEXT NOT NULL,
  good    REAL NOT NULL,
  bad     REAL NOT NULL,
  -- Relied on after the newest observation.
  held    INTEGER NOT NULL,
  -- Of the newest observation.
  at      INTEGER NOT NULL,
  PRIMARY KEY (digest, engine, ability)
) STRICT;

INSERT INTO model_abilities (digest, engine, ability, good, bad, held, at)
  SELECT digest, '', 'native', 3, 0, 1, unixepoch() * 1000 FROM model_facts
  WHERE key = 'calling' AND CASE WHEN json_valid(body) THEN json_extract(body, '$.provenNative') END = 1;
DELETE FROM model_facts WHERE key = 'calling';
`;
