define void @{name}(ptr %out, i64 %low, i64 %high, i32 %by) {{
  %high.at = getelementptr i8, ptr %out, i32 8
  %n = zext i32 %by to i64
  %few = and i64 %n, 63
  %far = and i64 %n, 64
  %is.far = icmp ne i64 %far, 0
  %kept.low = call i64 @llvm.{funnel}.i64(i64 %{a}, i64 %{b}, i64 %few)
  %kept.high = {shift} i64 %{end}, %few
  %fill = {fill}
  %near.value = select i1 %is.far, i64 %kept.high, i64 %kept.low
  %end.value = select i1 %is.far, i64 %fill, i64 %kept.high
  store i64 %{first}, ptr %out
  store i64 %{second}, ptr %high.at
  ret void
}}
