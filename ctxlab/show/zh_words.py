"""Words of the pictures in Chinese: the same tables as in `words.py`, and the names of the kinds."""

from __future__ import annotations

LOOKS = {
    "system": "系统提示",
    "system:sum": "固定开销（合计）",
    "tools": "工具",
    "mcp": "MCP 工具",
    "memory": "记忆",
    "skills": "技能",
    "claude_md": "CLAUDE.md",
    "user": "用户",
    "reply": "回复",
    "thinking": "思考",
    "call": "调用",
    "result:Read": "Read 结果",
    "result:Edit": "Edit/Write",
    "result:Bash": "Bash 结果",
    "result:Grep": "Grep 结果",
    "result:other": "其他结果",
    "image": "图片",
    "attachment": "附件",
    "unrecorded": "记录中没有",
    "preview": "已存结果的预览",
    "placeholder": "已清除的结果",
    "snip_boundary": "剪枝边界",
    "digest": "折叠轮次的摘录",
    "compact_boundary": "压缩边界",
    "summary": "摘要",
    "restored": "重新读入的文件",
    "notice": "提示",
}
LAYERS = {
    "arrive": "到达",
    "user": "用户",
    "budget": "工具结果预算",
    "snip": "剪枝",
    "microcompact": "微压缩",
    "collapse": "上下文折叠",
    "session_memory": "会话记忆",
    "autocompact": "自动压缩",
    "recovery": "恢复",
}
STATES = {
    "off": "已关闭",
    "idle": "已检查，无事可做",
    "acted": "已执行",
    "no_gain": "不会有任何收益",
    "failed": "失败或被阻止",
}
VERBS = {
    "budget": "缩成卡片",
    "snip": "剪除",
    "microcompact": "清空",
    "collapse": "折叠",
    "autocompact": "写入摘要",
    "recovery": "被拒后略去",
}
ACTED = {
    "budget": "把 {} 缩成卡片",
    "snip": "剪除了 {}",
    "microcompact": "清空了 {}",
    "collapse": "折叠了 {}",
    "autocompact": "为 {} 写了摘要并移动了边界",
    "recovery": "改动 {} 以腾出空间",
}
PREPARED = {
    "collapse": "备好了摘录",
    "session_memory": "做了笔记",
    "recovery": "给被截断的回复更多空间",
}
COSTS = {
    "budget": "一个文件",
    "snip": "已缓存的前缀",
    "microcompact": "仍热的前缀",
    "collapse": "已缓存的前缀",
    "session_memory": "旁路的模型调用",
    "autocompact": "一次模型调用",
    "recovery": "一次模型调用",
}
OUTCOMES = {
    "sent": "",
    "blocked": "；请求被拦下",
    "refused": "；模型拒绝了请求",
    "recovered": "；恢复后已发送",
}
LINES = {
    "warning": "警告",
    "autocompact": "自动压缩",
    "blocking": "拦截",
    "effective_window": "有效窗口",
    "window": "窗口",
}
PICTURE = {
    "place": "第 {request} 个请求，共 {requests} 个，{step}。",
    "acted": "已执行",
    "tokens": "{} 个 token。",
    "history_row": "历史 {size}，没有删除任何内容；其中模型完整看到 {seen}。{more}",
    "left": " 左边还有 {}。",
    "view_row": "视图 {size}，窗口 {window}：{parts}。",
    "lines": "界线    {}",
    "hidden": "隐藏    {}",
    "layers": "各层    {}",
    "key": "图例    {key}；一列为 {tokens} 个 token；大写 + █ 完整；小写 + ░ 保留但不完整可见；· 空闲；/ 预留",
    "sizes": "大小    {rests_on}：{counter}。摘要：{summariser}。",
    "note": "说明    {}",
    "none_yet": "还没有任何一层检查过",
    "nothing": "无",
    "read_back": "；每份原文都可以读回",
    "empty_row": "（还没有内容）",
    "view": "视图",
    "history": "历史",
    "only_added_to": "历史只增不减：{} →",
    "unchanged": "历史未变",
    "scroll_back": "用户能翻看的全部内容，没有删除；第 {request} 个请求，共 {requests} 个",
    "model_gets": "模型得到的内容：{size}，{room}",
    "sizes_rest_on": "大小 {rests_on}：{counter}",
    "summaries": "摘要：{}",
    "not_yet": "尚未轮到",
    "costs": "代价：{}",
}
RESTS_ON = {"counted": "估算", "recorded": "取自记录", "mixed": "记录加估算"}
CHARTS = {
    "sizes": "每个请求的大小",
    "total_input": "到此为止全部请求的输入 token 之和",
    "autocompact_lines": "自动压缩从哪里开始",
    "request": "请求",
    "tokens": "token",
    "head": "{y}，横轴为{x}",
    "several": "*  同一处有多个",
    "points": "{name}：{count} 个点，{low} 到 {high}",
}
TABLE = {
    "columns": ["请求", "层", "状态", "之前", "之后", "原因"],
    "acted": "已执行",
    "shown": "显示 {}",
    "no_act": "没有任何一层执行过",
    "outcome": "请求 {request} {outcome}",
    "all_sent": "每个请求都已发送",
    "more": "，另有 {} 个",
    "footer": "{requests}，{shown}；{outcomes}；大小以 token 计，{rests_on}",
    "recorded_and_counted": "取自记录并估算：{}",
    "counted": "估算：{}",
}
