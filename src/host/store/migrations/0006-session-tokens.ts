/** Token totals of a session. Those of older sessions come from their turns, as far as these can be read. */
export const sessionTokens = `
ALTER TABLE sessions ADD COLUMN tokens TEXT;
WITH requests AS (
  SELECT turns.session_id, turns.position, each.key AS number,
    json_extract(each.value, '$.promptTokens') AS prompt,
    json_extract(each.value, '$.outputTokens') AS output,
    json_extract(each.value, '$.iteration') > 0
      AND json_extract(each.value, '$.parentCallId') IS NULL AS is_conversation
  FROM turns, json_each(CASE WHEN json_valid(turns.body) THEN turns.body ELSE '{}' END, '$.usage') AS each
  WHERE each.type = 'object'
), newest AS (
  SELECT session_id, prompt, output,
    row_number() OVER (PARTITION BY session_id ORDER BY position DESC, number DESC) AS place
  FROM requests WHERE is_conversation
)
UPDATE sessions SET tokens = (
  SELECT json_object(
    'promptTokens', sum(prompt),
    'outputTokens', sum(output),
    'uncounted', count(CASE WHEN prompt IS NULL OR output IS NULL THEN 1 END),
    'lastPromptTokens', (SELECT prompt FROM newest WHERE session_id = sessions.id AND place = 1),
    'lastOutputTokens', (SELECT output FROM newest WHERE session_id = sessions.id AND place = 1),
    'contextTokens', CASE WHEN json_valid(context_usage) THEN json_extract(context_usage, '$.windowTokens') END
  ) FROM requests WHERE requests.session_id = sessions.id
) WHERE id IN (SELECT session_id FROM requests);
`;
